/** Runs in a worker: a photograph of 48 megapixels takes a second to decode. */
import { drawingOf, type Cut } from './picture.rules.ts'

const QUALITY = 0.82

/** What is asked for: the picture with its size as the camera held it. */
export interface ToDraw {
  readonly id: number
  readonly file: File
  readonly width: number
  readonly height: number
  readonly cut: Cut
  readonly quarters: number
}
/** What comes back; without a picture where it could not be decoded. */
export interface Drawn {
  readonly id: number
  readonly blob: Blob | null
  readonly width: number
  readonly height: number
}

/** What was decoded last: most drawings need the same size again. A worker has one picture. */
let last: { readonly width: number; readonly height: number; readonly bitmap: ImageBitmap } | null = null

/** The whole picture, upright as the camera held it; made small while it is decoded, so that it is never in memory twice. */
async function decodedAt(file: File, size: { width: number; height: number }, smaller: boolean): Promise<ImageBitmap> {
  if (last?.width === size.width && last.height === size.height) return last.bitmap
  last?.bitmap.close()
  last = null
  const bitmap = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    ...(smaller && { resizeWidth: size.width, resizeHeight: size.height, resizeQuality: 'high' }),
  })
  last = { ...size, bitmap }
  return bitmap
}

async function draw({ file, width, height, cut, quarters }: ToDraw): Promise<Omit<Drawn, 'id'>> {
  const { decoded, kept, drawn } = drawingOf({ width, height }, cut, quarters)
  const bitmap = await decodedAt(file, decoded, decoded.width < width || decoded.height < height)
  const canvas = new OffscreenCanvas(drawn.width, drawn.height)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  // What is transparent is paper.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, drawn.width, drawn.height)
  pen.translate(drawn.width / 2, drawn.height / 2)
  pen.rotate((quarters * Math.PI) / 2)
  pen.drawImage(
    bitmap,
    kept.x,
    kept.y,
    kept.width,
    kept.height,
    -kept.width / 2,
    -kept.height / 2,
    kept.width,
    kept.height,
  )
  return { blob: await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }), ...drawn }
}

/** One after the other: what the first has decoded serves the second. */
let before: Promise<unknown> = Promise.resolve()
addEventListener('message', ({ data }: MessageEvent<ToDraw>) => {
  before = before.then(() =>
    draw(data).then(
      (drawn) => postMessage({ id: data.id, ...drawn } satisfies Drawn),
      () => postMessage({ id: data.id, blob: null, width: 0, height: 0 } satisfies Drawn),
    ),
  )
})
