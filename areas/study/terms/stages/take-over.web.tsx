import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import type { ResponseOf } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useUndoAtOnce } from '#kit/web/imports/undo.tsx'
import { Link, fillPath } from '#kit/web/router/index.ts'
import { stage } from './stage.contract.ts'
import css from './strip.module.css'
import { takeOverCalls } from './take-over.contract.ts'

type Found = ResponseOf<typeof takeOverCalls.earlierStages>['data']
/** A window that closes at midnight was open until the day before. */
const lastDay = (ends_at: string) => new Date(Date.parse(ends_at) - 1000).toISOString()

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
  const take = (from: NonNullable<Found['from']>, { days, stages, left }: Found) =>
    act({
      ask: {
        title: t('take_stages', { term: nameOf(from, lang) }),
        consequence: (
          <>
            <p>
              {t('take_stages_days', { count: stages.length, days })}
              {left > 0 && ` ${t('take_stages_left', { count: left })}`}
            </p>
            <ul className={css.taken}>
              {stages.map((one, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
                <li key={i}>
                  <bdi>{nameOf(one, lang)}</bdi>
                  {one.group && (
                    <>
                      {' · '}
                      <bdi>{nameOf(one.group, lang)}</bdi>
                    </>
                  )}
                  <small>
                    {formatDate(one.starts_at, 'short', lang)} – {formatDate(lastDay(one.ends_at), 'short', lang)}
                    {one.after && ` · ${t('take_stages_after')}`}
                  </small>
                </li>
              ))}
            </ul>
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
