/** Pictures from a phone's camera: opened, cut, turned and made small in a worker, so that the page goes on answering. */
import type { Drawn, ToDraw } from './picture-drawing.web.ts'
import { staysAsItIs, type Cut } from './picture.rules.ts'

/** A picture that was chosen, and how large it is as the camera held it. */
export interface ChosenPicture {
  readonly file: File
  readonly width: number
  readonly height: number
}
/** What comes out. */
export interface ReadyPicture {
  readonly file: File
  readonly width: number
  readonly height: number
}

export const isPicture = (file: File): boolean => /^image\/(?:jpeg|png)$/.test(file.type)

/** Reads no more of a file than says how large the picture is, upright. null: it is no picture that a browser can show. */
export async function openPicture(file: File): Promise<ChosenPicture | null> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    await new Promise((resolve, reject) => {
      image.onload = resolve
      image.onerror = reject
      image.src = url
    })
    return { file, width: image.naturalWidth, height: image.naturalHeight }
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Draws pictures, one after the other; to be ended by whoever opened it. */
export interface PictureDrawer {
  draw(cut: Cut, quarters: number): Promise<ReadyPicture>
  end(): void
}

export function drawerOf(picture: ChosenPicture): PictureDrawer {
  const worker = new Worker(new URL('./picture-drawing.web.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, { resolve: (drawn: Drawn) => void; reject: (why: unknown) => void }>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<Drawn>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.blob) one?.resolve(data)
    else one?.reject(new Error('the picture cannot be drawn'))
  })
  worker.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(event)
    waiting.clear()
  })
  const name = `${picture.file.name.replace(/\.\w+$/, '')}.jpg`
  return {
    async draw(cut, quarters) {
      const { file, width, height } = picture
      const drawn = await new Promise<Drawn>((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, file, width, height, cut, quarters } satisfies ToDraw)
      })
      if (staysAsItIs(picture, file.size, cut, quarters)) return { file, width, height }
      return {
        file: new File([drawn.blob!], name, { type: 'image/jpeg' }),
        width: drawn.width,
        height: drawn.height,
      }
    },
    end: () => worker.terminate(),
  }
}
