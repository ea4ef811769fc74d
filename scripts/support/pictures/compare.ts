import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import type { Picture } from './take.ts';

/** A picture before and after a change. */
export interface PictureChange {
  name: string;
  before: Buffer;
  after: Buffer;
  /** What differs, in red on a pale copy of the picture. */
  marked: Buffer;
  /** How much of the picture differs, 0 to 1. */
  share: number;
}

export const nameOf = ({ path, width, scheme }: Picture): string =>
  `${path
    .replace(/^\/$/, 'home')
    .replace(/^\//, '')
    .replaceAll(/[^\w-]+/g, '-')}-${width}-${scheme}`;

/** The pixels of a picture on a ground of a size: pictures of two heights are compared as well. */
const pixelsOf = (png: Buffer, width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: '#ff00ff' } })
    .composite([{ input: png, left: 0, top: 0 }])
    .raw()
    .toBuffer();

/** Compares one page before and after. Null when no pixel differs that an eye could tell. */
export async function comparePictures(one: Picture, other: Picture): Promise<PictureChange | null> {
  const [before, after] = await Promise.all([sharp(one.png).metadata(), sharp(other.png).metadata()]);
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const marked = Buffer.alloc(width * height * 4);
  const differing = pixelmatch(
    await pixelsOf(one.png, width, height),
    await pixelsOf(other.png, width, height),
    marked,
    width,
    height,
    { threshold: 0.1 },
  );
  return differing === 0
    ? null
    : {
        name: nameOf(other),
        before: one.png,
        after: other.png,
        marked: await sharp(marked, { raw: { width, height, channels: 4 } })
          .png()
          .toBuffer(),
        share: differing / (width * height),
      };
}
