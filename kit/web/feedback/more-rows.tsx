import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { FIRST_ROWS, MOST_ROWS } from '#kit/contract/cut.ts'
import { useT } from '../i18n/catalogue.ts'
import { formatNumber } from '../i18n/format.ts'
import css from './feedback.module.css'

/** Rows that a list with pages answers at most. */
export const MOST_OF_PAGE = 500

/**
 * How many rows of a list that is shown without pages are asked for, and more of them.
 * @param first at first
 * @param cap how many can be asked for: `MOST_OF_PAGE` where the call has pages
 */
export function useMost(
  first = FIRST_ROWS,
  cap = MOST_ROWS,
): { readonly most: number; readonly more: (() => void) | undefined } {
  const [most, setMost] = useState(first)
  // Each press brings more than the one before: nobody presses twenty times.
  return { most, more: most < cap ? () => setMost(Math.min(most * 3, cap)) : undefined }
}

/**
 * Beneath a list that shows its first rows: how many there are, and the way to the others. Nothing where all are shown.
 *
 * @example const { most, more } = useMost()
 * const { data } = useCall(calls.revisions, { params, query: { most } }, { placeholderData: keepPreviousData })
 * <MoreRows shown={data.data.length} total={data.total} onMore={more} />
 */
export function MoreRows({
  shown,
  total,
  onMore,
  found = false,
}: {
  readonly shown: number
  readonly total: number
  readonly onMore?: (() => void) | undefined
  /** What was typed found them: more of it finds the others. */
  readonly found?: boolean
}) {
  const t = useT('kit-screens')
  const line = useRef<HTMLParagraphElement>(null)
  const [pressed, setPressed] = useState(false)
  const whole = shown >= total
  // The button goes with the last rows: the keyboard stays where it was.
  useEffect(() => {
    if (pressed && whole) line.current?.focus({ preventScroll: true })
  }, [pressed, whole])
  if (whole && !pressed) return null
  return (
    <p ref={line} className={css.onlyFirst} tabIndex={-1} role="status">
      {t(whole ? 'all_shown' : 'shown_of', { shown: formatNumber(shown), total: formatNumber(total) })}{' '}
      {!whole && onMore && (
        <Button
          className="no-print"
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            setPressed(true)
            onMore()
          }}
        >
          {t('show_more')}
        </Button>
      )}
      {!whole && found && t('search_for_others')}
    </p>
  )
}
