import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { differingFraction, FRAME_TOLERANCE, type DecodedFrame } from '../analysis/pixels.ts';
import { loadFileName, type LoadIdentity } from './loadIdentity.ts';

const WIDTH_PX = 240;
const JPEG_QUALITY = 60;
const MAX_FRAMES = 40;
/** Share of pixels that must change for a frame to be worth keeping. */
const MIN_CHANGE = 0.002;

/** Writes small pictures of the frames that changed something; names are relative to the output directory. */
export async function writeFilm(outDir: string, identity: LoadIdentity, step: number, frames: readonly DecodedFrame[]): Promise<{ atMs: number; file: string }[]> {
  const directory = join('frames', identity.page, loadFileName(identity, step));
  await mkdir(join(outDir, directory), { recursive: true });
  const film: { atMs: number; file: string }[] = [];
  for (const frame of changes(frames)) {
    const file = join(directory, `${Math.max(0, Math.round(frame.atMs))}.jpg`);
    const image = sharp(frame.rgb, { raw: { width: frame.width, height: frame.height, channels: 3 } });
    await image.resize({ width: WIDTH_PX }).jpeg({ quality: JPEG_QUALITY }).toFile(join(outDir, file));
    film.push({ atMs: Math.max(0, frame.atMs), file });
  }
  return film;
}

function changes(frames: readonly DecodedFrame[]): DecodedFrame[] {
  const kept: DecodedFrame[] = [];
  for (const frame of frames) {
    const before = kept.at(-1);
    if (!before || differingFraction(before, frame, FRAME_TOLERANCE) >= MIN_CHANGE) kept.push(frame);
  }
  const stride = Math.ceil(kept.length / MAX_FRAMES);
  return kept.filter((_, place) => place % stride === 0 || place === kept.length - 1);
}
