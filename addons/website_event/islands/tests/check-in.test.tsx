import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CheckIn from '../check-in.tsx';

const stopped = jest.fn();
const field = () => screen.getByLabelText<HTMLInputElement>('Ticket code');

/** A browser with a camera, which may be refused. */
function camera(isAllowed = true): void {
  const getUserMedia = async () => {
    if (!isAllowed) throw new DOMException('No', 'NotAllowedError');
    return { getTracks: () => [{ stop: stopped }] };
  };
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  const found = [[], [{ rawValue: 'ABC123' }]];
  Object.assign(window, {
    BarcodeDetector: class {
      detect = async () => found.shift();
    },
  });
  HTMLMediaElement.prototype.play = async () => {};
}

afterEach(() => {
  cleanup();
  stopped.mockReset();
  Reflect.deleteProperty(window, 'BarcodeDetector');
});

it('takes typed codes at once, and offers no camera where none can read', () => {
  render(<CheckIn action="/event/check-in/party-1" />);
  expect(document.activeElement).toBe(field());
  expect(screen.getByText('Scan with the camera').hidden).toBe(true);
  expect(document.querySelector('form')?.getAttribute('action')).toBe('/event/check-in/party-1');
});

it('sends a code that the camera has read like one that was typed', async () => {
  camera();
  const sent = jest.fn((event: Event) => event.preventDefault());
  render(<CheckIn action="/event/check-in/party-1" />);
  document.querySelector('form')?.addEventListener('submit', sent);
  await userEvent.click(screen.getByRole('button', { name: 'Scan with the camera' }));
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(field().value).toBe('ABC123');
  expect(stopped).toHaveBeenCalled();
});

it('says what to do where the camera is refused', async () => {
  camera(false);
  render(<CheckIn action="/event/check-in/party-1" />);
  await userEvent.click(screen.getByRole('button', { name: 'Scan with the camera' }));
  await screen.findByText(/The camera isn’t available. Type the code/);
});
