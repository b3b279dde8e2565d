import { type RefObject, useEffect, useRef, useState } from 'react';

interface Barcode {
  readonly rawValue: string;
}
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly Barcode[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

/** Milliseconds between scans of the camera image. */
const PAUSE = 150;

interface Camera {
  /** Element that shows the camera image. */
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Whether this browser supports reading codes. */
  readonly isThere: boolean;
  readonly isOn: boolean;
  readonly isRefused: boolean;
  /** Starts the camera until a code is read, or stops it. */
  readonly toggle: () => void;
}

/** Reads a QR code with the camera. */
export function useCamera(onCode: (code: string) => void): Camera {
  const video = useRef<HTMLVideoElement>(null);
  const stream = useRef<MediaStream>(null);
  const [isThere, setThere] = useState(false);
  const [isOn, setOn] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const stop = (): void => {
    release(stream);
    setOn(false);
  };
  useEffect(() => {
    setThere('BarcodeDetector' in window && 'mediaDevices' in navigator);
    return () => release(stream);
  }, []);
  const start = async (picture: HTMLVideoElement): Promise<void> => {
    setRefused(false);
    try {
      const { BarcodeDetector: Reader } = window as unknown as { BarcodeDetector: DetectorClass };
      stream.current = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      picture.srcObject = stream.current;
      setOn(true);
      await picture.play();
      const code = await firstCode(new Reader({ formats: ['qr_code'] }), picture, () => stream.current !== null);
      if (code === null) return;
      navigator.vibrate?.(80);
      stop();
      onCode(code);
    } catch {
      stop();
      setRefused(true);
    }
  };
  const toggle = (): void => {
    if (stream.current) stop();
    else if (video.current) void start(video.current);
  };
  return { video, isThere, isOn, isRefused, toggle };
}

function release(stream: RefObject<MediaStream | null>): void {
  for (const track of stream.current?.getTracks() ?? []) track.stop();
  stream.current = null;
}

async function firstCode(reader: Detector, picture: HTMLVideoElement, going: () => boolean): Promise<string | null> {
  while (going()) {
    const [barcode] = await reader.detect(picture);
    if (barcode) return barcode.rawValue;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return null;
}
