import { Button, Text } from '@mantine/core'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { act, notify } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { heldCalls as calls } from './held.contract.ts'

/** What an overdue invoice keeps from a student, and what to do; without `id` the own. Nothing where nothing is held. */
export function DebtHold({ id }: { id?: number }) {
  const t = useT('students')
  const lang = useLanguage()
  const client = useQueryClient()
  const own = useCall(calls.own, undefined, { enabled: id === undefined })
  const other = useCall(calls.of, { params: { id: id ?? 0 } }, { enabled: id !== undefined })
  const { send } = useChange('/students')
  // Paid: what was held is on the page within a second.
  useEvent('holds', () => void refresh(client, '/students'))
  const held = (id === undefined ? own : other).data?.data
  if (!held || (!held.results && !held.certificates && !held.overrides.length)) return null
  const invoices = held.invoices.join(', ')
  const setAside = async (what: 'results' | 'certificates') => {
    let until: string | null = null
    const reason = await askReason({
      title: t(`held_override_${what}`),
      text: t('held_override_text'),
      kept: t('held_reason_kept'),
      action: t('held_override'),
      more: (
        <DateInput
          name="until"
          label={t('held_until_day')}
          description={t('held_until_text')}
          defaultValue={null}
          onChange={(value) => {
            until = value as string | null
          }}
        />
      ),
      go: (given) => send(calls.override, { params: { id: id! }, body: { what, reason: given, until } }),
    })
    if (reason) notify.done(t('held_overridden'))
  }
  const end = async (what: 'results' | 'certificates') => {
    await act({ go: () => send(calls.end, { params: { id: id! }, body: { what } }), done: () => t('held_ended') })
  }
  const both = held.results && held.certificates
  return (
    <Card
      title={
        held.results || held.certificates
          ? t(both ? 'held_both' : held.results ? 'held_results' : 'held_certificates')
          : t('held_set_aside')
      }
      text={
        held.results || held.certificates
          ? t(id === undefined ? 'held_own_text' : 'held_staff_text', { invoices })
          : undefined
      }
      aside={
        id === undefined ? (
          <Button component={Link} to={to('/student-payments')} size="sm">
            {t('held_pay')}
          </Button>
        ) : held.abilities.includes('override') ? (
          <>
            {(['results', 'certificates'] as const).map(
              (what) =>
                held[what] && (
                  <Button key={what} size="sm" variant="default" onClick={() => void setAside(what)}>
                    {t(`held_override_${what}`)}
                  </Button>
                ),
            )}
          </>
        ) : undefined
      }
    >
      {held.overrides.map((one) => (
        <Text key={one.what} size="sm">
          {t(`held_aside_${one.what}`, { reason: one.reason, by: one.by ? nameOf(one.by, lang) : '–' })}
          {one.until && ` · ${t('held_until', { date: formatDate(one.until) })}`}{' '}
          {held.abilities.includes('end') && (
            <Button size="compact-xs" variant="subtle" onClick={() => void end(one.what)}>
              {t('held_end')}
            </Button>
          )}
        </Text>
      ))}
    </Card>
  )
}
