import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useT } from '../i18n/index.ts'
import type { BulkAction } from './bulk.tsx'
import css from './list.module.css'

/** Most rows that "all matching" may hold: what an export may hold as well. */
export const ALL_LIMIT = 5000

/** What can be done with the selected rows, in place of the filters. */
export function SelectionBar({
  selected,
  matching,
  actions,
  disabled,
  onAll,
  onAction,
  onExport,
  onClear,
}: {
  selected: number
  /** How many match in all, where they are more than are selected. */
  matching: number | null
  actions: readonly BulkAction[]
  /** The rows are not those that were asked for last. */
  disabled: boolean
  onAll: () => void
  onAction: (action: BulkAction) => void
  onExport?: (() => void) | undefined
  onClear: () => void
}) {
  const t = useT('kit-screens')
  return (
    <div className={`${css.bar} ${css.selected}`} role="toolbar" aria-label={t('selection')}>
      <span className={css.selectedCount} aria-live="polite">
        {t('selected', { count: selected })}
      </span>
      {matching !== null && (
        <Button
          variant="subtle"
          size="xs"
          onClick={onAll}
          disabled={disabled || matching > ALL_LIMIT}
          title={matching > ALL_LIMIT ? t('all_limit', { max: ALL_LIMIT }) : undefined}
        >
          {t('select_all_matching', { count: matching })}
        </Button>
      )}
      <span className={css.spring} />
      {actions.map((action) => (
        <Button
          key={action.key}
          size="xs"
          variant={action.tone === 'refused' ? 'light' : 'default'}
          color={action.tone === 'refused' ? 'red' : undefined}
          leftSection={action.icon}
          disabled={disabled}
          onClick={() => onAction(action)}
        >
          {action.label}
        </Button>
      ))}
      {onExport && (
        <Button size="xs" variant="default" disabled={disabled} onClick={onExport}>
          {t('export')}
        </Button>
      )}
      <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('clear_selection')} onClick={onClear}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  )
}
