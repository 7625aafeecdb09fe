// Pictures in a row, as one animated GIF.
import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;
/** GIF has 256 colours a picture; the last one stands for "as in the picture before". */
const [COLOURS, UNCHANGED] = [255, 255];

/**
 * Makes an animated GIF that repeats for ever.
 * @param {{ png: Buffer, milliseconds: number }[]} frames Pictures of one size, and how long each is shown.
 * @returns {Uint8Array}
 */
export function animationOf(frames) {
  const gif = GIFEncoder();
  let before;
  for (const { png, milliseconds } of frames) {
    const { data, width, height } = PNG.sync.read(png);
    const palette = quantize(data, COLOURS);
    const pixels = applyPalette(data, palette);
    const indexes = before === undefined ? pixels : changed(pixels, data, before);
    gif.writeFrame(indexes, width, height, {
      palette: [...palette, ...Array(UNCHANGED - palette.length + 1).fill([0, 0, 0])],
      delay: milliseconds,
      transparent: before !== undefined,
      transparentIndex: UNCHANGED,
      dispose: 1,
    });
    before = data;
  }
  gif.finish();
  return gif.bytes();
}

/** The pixels that differ from the picture before. What stays is one run of one colour, which takes little room. */
function changed(pixels, data, before) {
  const [now, then] = [data, before].map(it => new Uint32Array(it.buffer, it.byteOffset, it.byteLength / 4));
  return pixels.map((pixel, index) => (now[index] === then[index] ? UNCHANGED : pixel));
}
