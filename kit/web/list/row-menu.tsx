import { useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { useT } from '../i18n/index.ts'
import { useNavigate } from '../router/index.ts'
import type { RowAction } from './row-action.ts'
import css from './table.module.css'

/** The actions of a table's rows: one inline button each at most, and one menu that all rows share. */
export function useRowMenu<R>({
  actions,
  inline,
}: {
  actions?: (row: R) => readonly RowAction[]
  inline?: (row: R) => RowAction | null
}): { menu: ReactNode; inlineButton: (row: R) => ReactNode; menuButton: (row: R) => ReactNode } {
  const t = useT('kit-screens')
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ row: R; rect: DOMRect; button: HTMLElement } | null>(null)
  const go = (action: RowAction) => (action.href ? void navigate(action.href) : action.onSelect?.())
  const menu = open && (
    <Menu
      opened
      onChange={(opened) => {
        if (opened) return
        setOpen(null)
        open.button.focus()
      }}
      position="bottom-end"
      withinPortal
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        {/* Stands exactly over the button that was pressed; coordinates of the screen have no direction. */}
        <span
          aria-hidden="true"
          aria-label={t('row_actions')}
          style={{
            position: 'fixed',
            left: open.rect.left,
            top: open.rect.top,
            width: open.rect.width,
            height: open.rect.height,
            pointerEvents: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {actions?.(open.row).map((action) => (
          <Menu.Item
            key={action.key}
            leftSection={action.icon}
            color={action.tone === 'refused' ? 'red' : undefined}
            disabled={Boolean(action.disabled)}
            onClick={() => go(action)}
          >
            {action.label}
            {action.disabled && <small className={css.why}>{action.disabled}</small>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
  const menuButton = (row: R) =>
    (actions?.(row).length ?? 0) > 0 ? (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('row_actions')}
        aria-haspopup="menu"
        onClick={(event: MouseEvent<HTMLElement>) =>
          setOpen({ row, rect: event.currentTarget.getBoundingClientRect(), button: event.currentTarget })
        }
      >
        <IconDotsVertical size={16} />
      </ActionIcon>
    ) : null
  const inlineButton = (row: R) => {
    const action = inline?.(row)
    if (!action) return null
    if (action.short || !action.icon) {
      return (
        <Button
          size="compact-xs"
          variant="light"
          leftSection={action.icon}
          title={action.disabled ?? action.label}
          aria-label={action.label}
          disabled={Boolean(action.disabled)}
          onClick={() => go(action)}
        >
          {action.short ?? action.label}
        </Button>
      )
    }
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={action.label}
        title={action.disabled ?? action.label}
        disabled={Boolean(action.disabled)}
        onClick={() => go(action)}
      >
        {action.icon}
      </ActionIcon>
    )
  }
  return { menu, inlineButton, menuButton }
}
