import { useState } from 'react'
import type { ReactNode } from 'react'
import { Anchor, Button } from '@mantine/core'
import { programReason } from '#kit/contract/words.ts'
import type { ToldChange } from '#kit/contract/told.ts'
import { label, useLanguage, useT } from '../i18n/index.ts'
import { Link } from '../router/index.ts'
import { fieldWord, isNothing, saysAll, sentencePieces, valueText } from './words.ts'
import type { ToldEntry } from './words.ts'
import css from './told.module.css'

/** An entry of the log in words: the sentence, beneath it when and from where, why, and the table of old and new. */
export function ToldLine({
  entry,
  meta,
  reason,
  withheld = 0,
  href,
  open: openAtFirst,
}: {
  entry: ToldEntry
  /** When, from where. */
  meta: ReactNode
  reason?: string | null
  withheld?: number
  /** Where the record is told of. */
  href?: string | null
  /** The table stands open; unless told, that of a change does. */
  open?: boolean
}) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const key = entry.action.toLowerCase()
  const [open, setOpen] = useState(openAtFirst ?? !['insert', 'delete'].includes(key))
  const own = reason ? programReason(reason) : null
  const table = !saysAll(entry) || (key === 'insert' && entry.changes.length > 0)
  return (
    <div className={css.line}>
      <p className={css.sentence}>
        {sentencePieces(entry, lang).map((piece, i) => {
          if (!piece.place) return <span key={i}>{piece.text}</span>
          if (piece.place === 'record' && href)
            return (
              <Anchor key={i} component={Link} to={href}>
                <bdi>{piece.text}</bdi>
              </Anchor>
            )
          const strong = ['who', 'new'].includes(piece.place)
          return strong ? (
            <strong key={i}>
              <bdi>{piece.text}</bdi>
            </strong>
          ) : (
            <bdi key={i}>{piece.text}</bdi>
          )
        })}
      </p>
      <p className={css.meta}>{meta}</p>
      {reason && <p className={css.reason}>{own ? label(own, lang) : <bdi>{reason}</bdi>}</p>}
      {withheld > 0 && <p className={css.meta}>{t('history_withheld', { count: withheld })}</p>}
      {table && !open && (
        <Button variant="subtle" size="compact-sm" color="gray" className={css.more} onClick={() => setOpen(true)}>
          {t('history_values', { count: entry.changes.length })}
        </Button>
      )}
      {table && open && <Changes changes={entry.changes} action={key} />}
    </div>
  )
}

/** What stood there and what stands there now, field by field. */
function Changes({ changes, action }: { changes: readonly ToldChange[]; action: string }) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const sides =
    action === 'insert' ? (['new'] as const) : action === 'delete' ? (['old'] as const) : (['old', 'new'] as const)
  const cell = (change: ToldChange, side: 'old' | 'new') =>
    // What has a shape of its own is not told in a line: that it changed is.
    change.kind === 'json' ? (
      <span className={css.meta}>{t('told_changed')}</span>
    ) : (
      <bdi dir="auto" className={isNothing(change[side]) ? css.meta : undefined}>
        {valueText(change, change[side], lang)}
      </bdi>
    )
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            {sides.map((side) => (
              <th scope="col" key={side}>
                {sides.length === 1 ? t('told_value') : t(side === 'old' ? 'told_before' : 'told_after')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((change, i) => (
            <tr key={i}>
              <th scope="row">{fieldWord(change, lang)}</th>
              {sides.map((side) => (
                <td key={side} data-side={sides.length > 1 ? side : undefined}>
                  {cell(change, side)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
