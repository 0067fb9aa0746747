import { Button } from '@mantine/core'
import { IconMinus, IconPlus, IconRotate, IconRotateClockwise, IconRestore } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { formatBytes, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { EDGES, UNCUT, isUncut, moveEdge, stepEdge, turnCut, type Cut, type Edge } from './picture.rules.ts'
import { drawerOf, type ChosenPicture, type PictureDrawer, type ReadyPicture } from './picture.web.ts'
import css from './picture.module.css'

/** How a picture was cut and turned. */
export interface PictureEdit {
  readonly cut: Cut
  readonly quarters: number
}
export const UNEDITED: PictureEdit = { cut: UNCUT, quarters: 0 }

/** Milliseconds after the last move before the result is drawn anew. */
const REST_MS = 250
const STEP = 0.01
const LARGE_STEP = 0.05

/** Shows a file, under an address that goes with it. */
function FilePicture({ file, alt }: { file: File; alt: string }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    if (image.current) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return <img ref={image} alt={alt} draggable={false} />
}

/** The picture as it stands, and what becomes of it; both drawn in a worker. */
function useDrawn(picture: ChosenPicture, { cut, quarters }: PictureEdit) {
  const drawer = useRef<PictureDrawer | null>(null)
  const [whole, setWhole] = useState<ReadyPicture | null>(null)
  const [result, setResult] = useState<ReadyPicture | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    const mine = drawerOf(picture)
    drawer.current = mine
    return () => mine.end()
  }, [picture])
  useEffect(() => {
    let over = false
    drawer.current?.draw(UNCUT, quarters).then(
      (drawn) => over || setWhole(drawn),
      () => over || setBroken(true),
    )
    return () => {
      over = true
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the drawer is the picture's
  }, [picture, quarters])
  useEffect(() => {
    let over = false
    const timer = setTimeout(() => {
      drawer.current?.draw(cut, quarters).then(
        (drawn) => over || setResult(drawn),
        () => over || setBroken(true),
      )
    }, REST_MS)
    return () => {
      over = true
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the drawer is the picture's
  }, [picture, cut, quarters])
  /** What becomes of it, waited for; null: it cannot be drawn, which is said. */
  const now = async (): Promise<ReadyPicture | null> => {
    try {
      return (await drawer.current?.draw(cut, quarters)) ?? null
    } catch {
      setBroken(true)
      return null
    }
  }
  return { whole, result, broken, now }
}

/**
 * A photograph of a document before it is sent: cut at its edges by finger, mouse or keyboard, or by buttons without any
 * dragging; turned; and shown as it will be sent.
 */
export function PictureEditor({
  picture,
  name,
  from,
  onUse,
  onCancel,
}: {
  picture: ChosenPicture
  /** Of the document. */
  name: string
  from: PictureEdit
  onUse: (file: File, edit: PictureEdit) => void
  onCancel: () => void
}) {
  const t = useT('applicants')
  const tk = useT('kit')
  const [edit, setEdit] = useState(from)
  const [busy, setBusy] = useState(false)
  const { whole, result, broken, now } = useDrawn(picture, edit)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const setCut = (change: (cut: Cut) => Cut) => setEdit((had) => ({ ...had, cut: change(had.cut) }))
  const turn = (quarters: 1 | 3) =>
    setEdit((had) => ({
      cut: Array.from({ length: quarters }).reduce<Cut>((cut) => turnCut(cut), had.cut),
      quarters: (had.quarters + quarters) % 4,
    }))
  const take = async () => {
    setBusy(true)
    const ready = await now()
    setBusy(false)
    if (ready) onUse(ready.file, edit)
  }
  return (
    <section className={css.editor} aria-label={t('picture_of', { name })}>
      <h2 ref={heading} tabIndex={-1}>
        {t('picture_of', { name })}
      </h2>
      {broken ? (
        <p role="alert">{t('picture_broken')}</p>
      ) : (
        <>
          <p className={css.text}>{t('picture_text')}</p>
          <Stage whole={whole} cut={edit.cut} setCut={setCut} />
          <div className={css.row}>
            <Button
              variant="default"
              leftSection={<IconRotate size={18} aria-hidden />}
              onClick={() => turn(3)}
              className={css.grow}
            >
              {t('turn_left')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconRotateClockwise size={18} aria-hidden />}
              onClick={() => turn(1)}
              className={css.grow}
            >
              {t('turn_right')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconRestore size={18} aria-hidden />}
              disabled={isUncut(edit.cut) && edit.quarters === 0}
              onClick={() => setEdit(UNEDITED)}
              className={css.grow}
            >
              {t('picture_reset')}
            </Button>
          </div>
          <Steps cut={edit.cut} setCut={setCut} />
          <div className={css.result}>
            {result && <FilePicture file={result.file} alt={t('picture_result')} />}
            <p role="status">
              {result
                ? t('picture_size', {
                    // Together, so that they keep their order in Arabic.
                    pixels: `${formatNumber(result.width)} × ${formatNumber(result.height)}`,
                    size: formatBytes(result.file.size),
                  })
                : t('picture_drawing')}
            </p>
          </div>
        </>
      )}
      <div className={css.ends}>
        {!broken && (
          <Button size="md" loading={busy} onClick={() => void take()}>
            {t('picture_use')}
          </Button>
        )}
        <Button size="md" variant="default" onClick={onCancel}>
          {tk('cancel')}
        </Button>
      </div>
    </section>
  )
}

type SetCut = (change: (cut: Cut) => Cut) => void
const percent = (part: number): string => `${part * 100}%`
/** What a finger takes hold of, and the edges that go with it. */
const CORNERS: readonly (readonly Edge[])[] = [
  ['left', 'top'],
  ['right', 'top'],
  ['left', 'bottom'],
  ['right', 'bottom'],
]

/** The picture with the frame of what stays. Left is left in Arabic, too. */
function Stage({ whole, cut, setCut }: { whole: ReadyPicture | null; cut: Cut; setCut: SetCut }) {
  const t = useT('applicants')
  const stage = useRef<HTMLDivElement>(null)
  if (!whole) return <div className={css.empty} aria-busy="true" />
  const place = {
    left: percent(cut.left),
    top: percent(cut.top),
    right: percent(1 - cut.right),
    bottom: percent(1 - cut.bottom),
  }
  const drag = (edges: readonly Edge[]) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const box = stage.current?.getBoundingClientRect()
      if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
      const x = (event.clientX - box.left) / box.width
      const y = (event.clientY - box.top) / box.height
      setCut((had) =>
        edges.reduce((now, edge) => moveEdge(now, edge, edge === 'left' || edge === 'right' ? x : y), had),
      )
    },
  })
  const keys = (edge: Edge) => (event: KeyboardEvent<HTMLElement>) => {
    const step = event.shiftKey ? LARGE_STEP : STEP
    const [less, more] = edge === 'left' || edge === 'right' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    const by = event.key === less ? -step : event.key === more ? step : 0
    if (by === 0) return
    event.preventDefault()
    setCut((had) => moveEdge(had, edge, had[edge] + by))
  }
  return (
    <div
      ref={stage}
      className={css.stage}
      dir="ltr"
      style={{ aspectRatio: `${whole.width} / ${whole.height}`, '--tall': whole.height / whole.width } as object}
    >
      <FilePicture file={whole.file} alt="" />
      <div className={css.shade}>
        <div className={css.kept} style={place} />
      </div>
      <div className={css.frame} style={place}>
        {EDGES.map((edge) => (
          <span
            key={edge}
            role="slider"
            tabIndex={0}
            className={css.edge}
            data-edge={edge}
            aria-label={t(`edge_${edge}`)}
            aria-orientation={edge === 'left' || edge === 'right' ? 'horizontal' : 'vertical'}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(cut[edge] * 100)}
            onKeyDown={keys(edge)}
            {...drag([edge])}
          />
        ))}
        {CORNERS.map((edges) => (
          <span
            key={edges.join(' ')}
            className={css.corner}
            data-corner={edges.join(' ')}
            aria-hidden
            {...drag(edges)}
          />
        ))}
      </div>
    </div>
  )
}

/** The same without dragging: each edge goes in or out by a press. */
function Steps({ cut, setCut }: { cut: Cut; setCut: SetCut }) {
  const t = useT('applicants')
  return (
    <div className={css.steps}>
      {EDGES.map((edge) => (
        <div key={edge} role="group" aria-label={t(`edge_${edge}`)}>
          <span>{t(`edge_${edge}`)}</span>
          <Button
            variant="default"
            className={css.step}
            aria-label={t(`edge_${edge}_out`)}
            disabled={cut[edge] === UNCUT[edge]}
            onClick={() => setCut((had) => stepEdge(had, edge, -LARGE_STEP))}
          >
            <IconMinus size={18} aria-hidden />
          </Button>
          <Button
            variant="default"
            className={css.step}
            aria-label={t(`edge_${edge}_in`)}
            onClick={() => setCut((had) => stepEdge(had, edge, LARGE_STEP))}
          >
            <IconPlus size={18} aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  )
}
