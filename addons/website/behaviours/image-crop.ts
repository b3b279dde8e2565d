import 'react-image-crop/dist/ReactCrop.css';
import '../editor/browser/css/image-crop.css';

/** What crops a picture (`.image-crop`) has its looks from here, whichever island shows it. */
export default function imageCrop(): void {}
