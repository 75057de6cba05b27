declare module "upng-js" {
  type Image = { readonly width: number; readonly height: number };
  const UPNG: {
    decode: (png: ArrayBuffer) => Image;
    toRGBA8: (image: Image) => readonly ArrayBuffer[];
    encode: (frames: readonly ArrayBuffer[], width: number, height: number, colours: number) => ArrayBuffer;
  };
  export default UPNG;
}
