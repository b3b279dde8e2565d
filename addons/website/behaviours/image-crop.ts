import 'react-image-crop/dist/ReactCrop.css';
import '../editor/browser/css/image-crop.css';

/** Loads the styles of the image cropper (`.image-crop`) for every island that uses it. */
export default function imageCrop(): void {}
