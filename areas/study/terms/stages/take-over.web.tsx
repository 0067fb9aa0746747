import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, fillPath } from '#kit/web/router/index.ts'
import { term as terms } from '../terms/term.contract.ts'
import { daysBetweenTerms, shifted } from './shift.rules.ts'
import { stage } from './stage.contract.ts'
import css from './strip.module.css'

const calls = { stages: resourceCalls(stage), terms: resourceCalls(terms) }

interface Shown {
  readonly id: number
  readonly start_date: string
  readonly term_type?: string
}

/** What a term without stages begins with: those of an earlier term, at its own dates, or the first one by hand. */
export function TakeOver({ term }: { readonly term: Shown }) {
  const t = useT('terms')
  const lang = useLanguage()
  const me = useMe()
  const { send } = useChange('/stages', '/timeline')
  const may = stage.permissions.add !== null && me.may(stage.permissions.add)
  const { data } = useCall(
    calls.terms.list,
    { body: { perPage: 50, order_by: 'start_date', order_direction: 'desc' } },
    { enabled: may },
  )
  if (!may) return null
  // The last of its kind, else the last.
  const before = (data?.data ?? []).filter((one) => one.start_date < term.start_date)
  const from = before.find((one) => one.term_type === term.term_type) ?? before[0]
  const take = async () => {
    if (!from) return
    const { data: rows } = await send(calls.stages.list, { body: { perPage: 500, filters: { term_id: [from.id] } } })
    const days = daysBetweenTerms(from, term)
    const made: number[] = []
    const takeBack = async () => {
      for (const id of made.splice(0)) await send(calls.stages.remove, { params: { id } })
    }
    const moved = rows
      .map((row) => ({ ...row, starts_at: shifted(row.starts_at, days), ends_at: shifted(row.ends_at, days) }))
      .toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))
    await act({
      ask: {
        title: t('take_stages', { term: nameOf(from, lang) }),
        consequence: moved.length
          ? t('take_stages_text', {
              count: moved.length,
              days,
              first: formatDate(moved[0]!.starts_at, 'short', lang),
              last: formatDate(moved.at(-1)!.ends_at, 'short', lang),
            })
          : t('no_stages'),
        action: t('take_over'),
      },
      go: async () => {
        try {
          for (const { stage_code_id, stage_group_id, starts_at, ends_at } of moved) {
            const body = { term_id: term.id, stage_code_id, stage_group_id, starts_at, ends_at }
            made.push((await send(calls.stages.create, { body })).data.id)
          }
        } catch (error) {
          // All of them or none: one that is refused leaves the term as it was.
          await takeBack()
          throw error
        }
      },
      done: () => t('stages_taken', { count: made.length }),
      undo: takeBack,
    })
  }
  return (
    <div className={css.begin}>
      {from && (
        <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void take()}>
          {t('take_stages', { term: nameOf(from, lang) })}
        </Button>
      )}
      <Button component={Link} to={fillPath(stage.screens.add!, {}, { term_id: String(term.id) })} variant="default">
        {t('add_stage')}
      </Button>
    </div>
  )
}
