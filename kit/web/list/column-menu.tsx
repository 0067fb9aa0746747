/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a panel over the page is a dialog that the library places */
import { useState } from 'react'
import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { notify } from '../feedback/index.ts'
import { useT } from '../i18n/index.ts'
import { later } from '../later.ts'
import type { AnyRow, Column } from './columns.ts'
import type { TablePrefs } from './prefs.ts'

const choice = later(() => import('./column-choice.tsx'))

/** The button that opens the choice of columns. */
export function ColumnMenu<R extends AnyRow>(props: {
  columns: readonly Column<R>[]
  prefs: TablePrefs
  /** Columns that found no room. */
  dropped?: readonly string[]
  onPrefs: (prefs: TablePrefs) => void
}) {
  const t = useT('kit-screens')
  const [open, setOpen] = useState(false)
  const left = props.dropped?.length ?? 0
  const Choice = choice.now?.ColumnChoice
  const toggle = (wanted: boolean) =>
    wanted ? void choice.fetched().then(() => setOpen(true), notify.error) : setOpen(false)
  return (
    <Popover opened={open} onChange={toggle} position="bottom-end" trapFocus returnFocus withinPortal withRoles={false}>
      <Popover.Target>
        {left ? (
          <Button
            variant="default"
            size="xs"
            h={30}
            leftSection={<IconColumns3 size={16} aria-hidden />}
            onPointerEnter={choice.ahead}
            onClick={() => toggle(!open)}
          >
            {t('columns_left_out', { count: left })}
          </Button>
        ) : (
          <Tooltip label={t('columns')}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t('columns')}
              onPointerEnter={choice.ahead}
              onClick={() => toggle(!open)}
            >
              <IconColumns3 size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Popover.Target>
      <Popover.Dropdown p="xs" role="dialog" aria-label={t('columns')}>
        {Choice && <Choice {...props} />}
      </Popover.Dropdown>
    </Popover>
  )
}
