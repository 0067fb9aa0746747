import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import css from '../course-files.module.css'

/** A bar over the picture: shares of its width and height, of 1. */
interface Bar {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}
/** The longest side of what is sent, in pixels: enough to read handwriting. */
const LONGEST = 2400
const STEP = 0.01
const within = (value: number, most = 1) => Math.min(most, Math.max(0, value))
/** A bar between two corners, in whichever order they were chosen. */
const between = (ax: number, ay: number, bx: number, by: number): Bar => ({
  x: Math.min(ax, bx),
  y: Math.min(ay, by),
  w: Math.abs(ax - bx),
  h: Math.abs(ay - by),
})

/** What an arrow key does to a bar: it moves it, and with Shift it makes it larger or smaller. */
function moved(bar: Bar, key: string, larger: boolean): Bar | null {
  const dx = key === 'ArrowRight' ? STEP : key === 'ArrowLeft' ? -STEP : 0
  const dy = key === 'ArrowDown' ? STEP : key === 'ArrowUp' ? -STEP : 0
  if (!dx && !dy) return null
  return larger
    ? { ...bar, w: Math.max(STEP, within(bar.w + dx, 1 - bar.x)), h: Math.max(STEP, within(bar.h + dy, 1 - bar.y)) }
    : { ...bar, x: within(bar.x + dx, 1 - bar.w), y: within(bar.y + dy, 1 - bar.h) }
}

/** The picture with its bars burnt in, and nothing that a camera wrote beside it. */
async function burnt(picture: ImageBitmap, bars: readonly Bar[], name: string): Promise<File> {
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const pen = canvas.getContext('2d')!
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  pen.fillStyle = '#000'
  for (const { x, y, w, h } of bars)
    pen.fillRect(x * canvas.width, y * canvas.height, w * canvas.width, h * canvas.height)
  const blob = await new Promise<Blob | null>((take) => canvas.toBlob(take, 'image/jpeg', 0.9))
  return new File([blob!], `${name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
}

/** Blacks out names in a picture on this device: bars are drawn with the pointer, or added and moved by keyboard. */
export function BlackOut({ file, onClose, onDone }: { file: File; onClose: () => void; onDone: (file: File) => void }) {
  const t = useT('course-files')
  const [picture, setPicture] = useState<{ bitmap: ImageBitmap; url: string } | null>(null)
  const [broken, setBroken] = useState(false)
  const [bars, setBars] = useState<readonly Bar[]>([])
  useEffect(() => {
    const url = URL.createObjectURL(file)
    let over = false
    void createImageBitmap(file)
      .then((bitmap) => !over && setPicture({ bitmap, url }))
      .catch(() => !over && setBroken(true))
    return () => {
      over = true
      URL.revokeObjectURL(url)
    }
  }, [file])
  return (
    <Dialog opened onClose={onClose} title={t('black_out')} size="xl">
      <p className={css.text}>{broken ? t('black_out_broken') : t('black_out_text')}</p>
      {picture && <Sheet url={picture.url} bars={bars} setBars={setBars} />}
      <div className={css.line}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setBars([...bars, { x: 0.3, y: 0.05, w: 0.4, h: 0.06 }])}
        >
          {t('black_out_add')}
        </Button>
        {bars.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setBars(bars.slice(0, -1))}
          >
            {t('black_out_last')}
          </Button>
        )}
      </div>
      <Submit
        missing={[bars.length === 0 && t('black_out_none'), !picture && t('black_out_broken')]}
        onCancel={onClose}
        onClick={() => picture && void burnt(picture.bitmap, bars, file.name).then(onDone)}
      >
        {t('hand_in_file')}
      </Submit>
    </Dialog>
  )
}

function Sheet({ url, bars, setBars }: { url: string; bars: readonly Bar[]; setBars: (bars: readonly Bar[]) => void }) {
  const t = useT('course-files')
  const sheet = useRef<HTMLDivElement>(null)
  const [begun, setBegun] = useState<{ x: number; y: number } | null>(null)
  const at = ({ clientX, clientY }: PointerEvent) => {
    const box = sheet.current!.getBoundingClientRect()
    return { x: within((clientX - box.left) / box.width), y: within((clientY - box.top) / box.height) }
  }
  const draw = (event: PointerEvent) => {
    if (!begun) return
    const { x, y } = at(event)
    setBars([...bars.slice(0, -1), between(begun.x, begun.y, x, y)])
  }
  const end = () => {
    setBegun(null)
    // A click is no bar.
    const last = bars.at(-1)
    if (last && (last.w < STEP / 2 || last.h < STEP / 2)) setBars(bars.slice(0, -1))
  }
  const keys = (index: number) => (event: KeyboardEvent) => {
    if (event.key === 'Delete' || event.key === 'Backspace') return setBars(bars.filter((_, i) => i !== index))
    const next = moved(bars[index]!, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    setBars(bars.map((bar, i) => (i === index ? next : bar)))
  }
  return (
    <div
      ref={sheet}
      className={css.sheet}
      dir="ltr"
      onPointerDown={(event) => {
        if (event.target instanceof HTMLButtonElement) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const from = at(event)
        setBegun(from)
        setBars([...bars, { ...from, w: 0, h: 0 }])
      }}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <img src={url} alt={t('black_out_picture')} draggable={false} />
      {bars.map(({ x, y, w, h }, i) => (
        <button
          // oxlint-disable-next-line react/no-array-index-key -- bars have no other name
          key={i}
          type="button"
          aria-label={t('black_out_bar', { n: formatNumber(i + 1) })}
          style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` }}
          onKeyDown={keys(i)}
        />
      ))}
    </div>
  )
}
