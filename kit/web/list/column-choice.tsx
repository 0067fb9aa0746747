import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useLabel, useT } from '../i18n/index.ts'
import type { AnyRow, Column } from './columns.ts'
import { arranged } from './prefs.ts'
import type { TablePrefs } from './prefs.ts'
import css from './list.module.css'

/** The columns of a table, to choose and to order; the first one stays. */
export function ColumnChoice<R extends AnyRow>({
  columns,
  prefs,
  dropped = [],
  onPrefs,
}: {
  columns: readonly Column<R>[]
  prefs: TablePrefs
  /** Columns that found no room: ticked, they stay and the table scrolls. */
  dropped?: readonly string[]
  onPrefs: (prefs: TablePrefs) => void
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const { all, visible: wanted } = arranged(columns, prefs)
  const visible = wanted.filter((column) => !dropped.includes(column.key))
  const toggle = (column: Column<R>, on: boolean) => {
    const without = (list: readonly string[] | undefined) => (list ?? []).filter((key) => key !== column.key)
    onPrefs({
      ...prefs,
      hidden: on ? without(prefs.hidden) : [...without(prefs.hidden), column.key],
      shown:
        on && (column.hidden || dropped.includes(column.key))
          ? [...without(prefs.shown), column.key]
          : without(prefs.shown),
    })
  }
  const move = (at: number, by: number) => {
    const order = all.map((c) => c.key)
    const [key] = order.splice(at, 1)
    order.splice(at + by, 0, key!)
    onPrefs({ ...prefs, order })
  }
  return (
    <>
      {dropped.length > 0 && <p className={css.columnsNote}>{t('columns_no_room')}</p>}
      <ul className={css.columns} aria-label={t('columns')}>
        {all.map((column, i) => {
          const label = say(column.label)
          return (
            <li key={column.key}>
              <Checkbox
                label={label}
                checked={visible.includes(column)}
                disabled={visible.length === 1 && visible.includes(column)}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={26}
                disabled={i === 0}
                aria-label={t('column_earlier', { name: label })}
                onClick={() => move(i, -1)}
              >
                <IconArrowUp size={14} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={26}
                disabled={i === all.length - 1}
                aria-label={t('column_later', { name: label })}
                onClick={() => move(i, 1)}
              >
                <IconArrowDown size={14} />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
      <Button variant="subtle" size="xs" fullWidth mt={4} onClick={() => onPrefs({})}>
        {t('columns_reset')}
      </Button>
    </>
  )
}
