import { Button } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { moved, useReorder } from '#kit/web/fields/reorder.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import type { QuestionFieldProps } from './question-field.web.tsx'
import { useFormWords } from './words.web.ts'
import css from '../questionnaires.module.css'

/** Options in an order of one's own, by dragging and by the arrow keys. Nothing is answered before somebody says so. */
export function RankingField({ of, value, onChange }: QuestionFieldProps) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const order = Array.isArray(value) ? value.filter((one) => one !== null) : null
  const all = order ?? of.options.map((_, i) => i + 1)
  const reorder = useReorder(
    all.length,
    (from, place) => onChange(moved(all, from, place)),
    (place) => notify.done(t('at_place', { place: formatNumber(place + 1) })),
  )
  return (
    <>
      <ol className={css.ranking}>
        {all.map((option, i) => (
          <li key={option} {...reorder.place(i)}>
            <button
              type="button"
              className={css.handle}
              aria-label={t('move_option', { name: words(of.options[option - 1] ?? of.text) })}
              {...reorder.handle(i)}
            >
              <IconGripVertical size={16} aria-hidden />
            </button>
            <span>{words(of.options[option - 1] ?? of.text)}</span>
          </li>
        ))}
      </ol>
      {order === null && (
        <Button variant="default" size="xs" onClick={() => onChange(all)}>
          {t('order_is_right')}
        </Button>
      )}
    </>
  )
}
