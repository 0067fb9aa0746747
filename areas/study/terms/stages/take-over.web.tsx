import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useUndoAtOnce } from '#kit/web/imports/undo.tsx'
import { Link, fillPath } from '#kit/web/router/index.ts'
import { stage } from './stage.contract.ts'
import css from './strip.module.css'
import { takeOverCalls } from './take-over.contract.ts'

/** What a term without stages begins with: those of an earlier term, at its own dates, or the first one by hand. */
export function TakeOver({ term }: { readonly term: { readonly id: number } }) {
  const t = useT('terms')
  const lang = useLanguage()
  const me = useMe()
  const undo = useUndoAtOnce()
  const { send } = useChange('/stages', '/timeline')
  const may = stage.permissions.add !== null && me.may(stage.permissions.add)
  const params = { id: term.id }
  const { data } = useCall(takeOverCalls.earlierStages, { params }, { enabled: may })
  if (!may) return null
  const found = data?.data
  const take = (
    from: NonNullable<NonNullable<typeof found>['from']>,
    { days, count, first, last, left }: NonNullable<typeof found>,
  ) =>
    act({
      ask: {
        title: t('take_stages', { term: nameOf(from, lang) }),
        consequence: (
          <>
            {t('take_stages_text', {
              count,
              days,
              first: formatDate(first ?? '', 'short', lang),
              last: formatDate(last ?? '', 'short', lang),
            })}
            {left > 0 && ` ${t('take_stages_left', { count: left })}`}
          </>
        ),
        action: t('take_over'),
      },
      go: () => send(takeOverCalls.takeOverStages, { params, body: { from_id: from.id } }),
      done: ({ data: { taken } }) => t('stages_taken', { count: taken }),
      undo: ({ data: { operation_id } }) => (operation_id === null ? Promise.resolve() : undo(operation_id)),
    })
  return (
    <div className={css.begin}>
      {found?.from && (
        <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void take(found.from!, found)}>
          {t('take_stages', { term: nameOf(found.from, lang) })}
        </Button>
      )}
      <Button component={Link} to={fillPath(stage.screens.add!, {}, { term_id: String(term.id) })} variant="default">
        {t('add_stage')}
      </Button>
    </div>
  )
}
