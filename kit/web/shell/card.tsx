import type { CSSProperties, ReactNode } from 'react'
import css from './card.module.css'

/**
 * Parts of a screen below each other.
 * @param props.gap px between them, where they are less than cards
 * @param props.busy what they show is being asked again
 */
export function Stack({ children, gap, busy }: { children: ReactNode; gap?: number; busy?: boolean | undefined }) {
  return (
    <div className={css.stack} style={gap === undefined ? undefined : { gap }} aria-busy={busy || undefined}>
      {children}
    </div>
  )
}

/**
 * Cards beside each other as far as there is room.
 * @param props.least width in px below which one goes to the next line
 * @param props.even all of a line are as high as the highest
 */
export function Cards({ children, least = 340, even }: { children: ReactNode; least?: number; even?: boolean }) {
  return (
    <div className={css.side} style={{ '--least': `${least}px` } as CSSProperties} data-even={even || undefined}>
      {children}
    </div>
  )
}

/**
 * A part of a screen in a frame, with its heading.
 * @param props.text what stands here, in a line below the heading
 * @param props.aside what stands at the end of the heading's line: a figure, a button
 * @param props.changed it holds input that is not saved yet
 * @param props.plain without the frame, around what has its own
 * @param props.label its name for screen readers where it has no heading
 */
export function Card({
  title,
  text,
  aside,
  changed,
  plain,
  label,
  children,
}: {
  title?: ReactNode
  text?: ReactNode
  aside?: ReactNode
  changed?: boolean
  plain?: boolean
  label?: string
  children?: ReactNode
}) {
  return (
    <section className={plain ? css.plain : css.card} data-changed={changed || undefined} aria-label={label}>
      {title !== undefined && (
        <div className={css.head}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {text ? <p className={css.text}>{text}</p> : null}
      {children}
    </section>
  )
}

/** The frame of a card that is still loading, as high in px as what comes. */
export function Bone({ height = 240 }: { height?: number }) {
  return <div className={css.card} style={{ blockSize: height }} aria-busy="true" />
}
