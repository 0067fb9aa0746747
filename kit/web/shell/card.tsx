import type { CSSProperties, ReactNode } from 'react'
import css from './card.module.css'

/** Parts of a screen below each other. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={css.stack}>{children}</div>
}

/** Cards beside each other as far as there is room; `least`: width in px below which one goes to the next line. */
export function Cards({ children, least = 340, even }: { children: ReactNode; least?: number; even?: boolean }) {
  return (
    <div className={css.side} style={{ '--least': `${least}px` } as CSSProperties} data-even={even || undefined}>
      {children}
    </div>
  )
}

/**
 * A part of a screen in a frame, with its heading.
 * @param props.text a line below the heading that says what stands here
 * @param props.aside what stands at the end of the heading's line: a figure, a button
 * @param props.changed it holds input that is not saved yet
 */
export function Card({
  title,
  text,
  aside,
  changed,
  label,
  children,
}: {
  title?: ReactNode
  text?: ReactNode
  aside?: ReactNode
  changed?: boolean
  /** Its name for screen readers where it has no heading. */
  label?: string
  children?: ReactNode
}) {
  return (
    <section className={css.card} data-changed={changed || undefined} aria-label={label}>
      {(title !== undefined || aside !== undefined) && (
        <div className={css.head}>
          <div>
            {title !== undefined && <h2>{title}</h2>}
            {text !== undefined && <p className={css.text}>{text}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
