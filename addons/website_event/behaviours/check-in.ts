import { t } from '#core/browser';

interface Barcode {
  readonly rawValue: string;
}
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly Barcode[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

/** At the door: reads the codes of tickets with the camera, where the browser can; a code that was read is sent like one that was typed. */
export default function checkIn(form: HTMLElement): () => void {
  const input = form.querySelector<HTMLInputElement>('[name="code"]');
  const button = form.querySelector<HTMLButtonElement>('[data-scan]');
  const video = form.querySelector('video');
  const status = form.querySelector<HTMLElement>('[data-scan-status]');
  const Reader = (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  // Whoever scans with a reader that types wants to go on at once.
  input?.focus({ preventScroll: true });
  if (!Reader || !button || !video || !input || !navigator.mediaDevices) return () => {};
  let stream: MediaStream | null = null;
  const stop = (): void => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    video.hidden = true;
  };
  const start = async (): Promise<void> => {
    if (stream) {
      stop();
      return;
    }
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      video.srcObject = stream;
      video.hidden = false;
      await video.play();
      const code = await firstCode(new Reader({ formats: ['qr_code'] }), video, () => stream !== null);
      if (code === null) return;
      navigator.vibrate?.(80);
      input.value = code;
      stop();
      if (form instanceof HTMLFormElement) form.requestSubmit();
    } catch {
      stop();
      if (status)
        status.textContent = t(
          'The camera cannot be used. Type the code, or scan it with the camera app of the telephone.',
        );
    }
  };
  const pressed = (): void => void start();
  button.hidden = false;
  button.addEventListener('click', pressed);
  return () => {
    button.removeEventListener('click', pressed);
    stop();
  };
}

async function firstCode(reader: Detector, video: HTMLVideoElement, going: () => boolean): Promise<string | null> {
  while (going()) {
    const [found] = await reader.detect(video);
    if (found) return found.rawValue;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return null;
}
