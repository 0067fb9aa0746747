import { Button, Modal } from '@mantine/core'
import { IconArrowsExchange, IconCalendarDown, IconCalendarOff } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { addDays } from '#kit/contract/day.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatList, formatNumber, formatTimeRange, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { rosterCalls as calls, type OwnDuties } from './roster.contract.ts'
import css from '../logbook.module.css'

type Duty = OwnDuties['shifts'][number]
/** Days ahead that may be wished free at once. */
const WISH_DAYS = 60

/** The own duties on a phone: when and where, who supervises, days wished free, and swaps. */
export default function Duties() {
  const t = useT('logbook')
  const { data, error, refetch } = useCall(calls.own)
  const [wishing, setWishing] = useState(false)
  const [swapping, setSwapping] = useState<Duty | null>(null)
  const of = data?.data
  const coming = of?.shifts.filter(({ day }) => day >= of.today) ?? []
  const past = of?.shifts.filter(({ day }) => day < of.today).toReversed() ?? []
  return (
    <Page
      title={t('my_duties')}
      subtitle={'\u00A0'}
      facts={[
        { label: t('duties_all'), value: of ? formatNumber(of.all) : '–' },
        { label: t('nights'), value: of ? formatNumber(of.nights) : '–' },
        { label: t('weekends'), value: of ? formatNumber(of.weekends) : '–' },
      ]}
      action={
        <Button
          variant="default"
          component={Link}
          to={to('/emtyaz/duty-swaps')}
          leftSection={<IconArrowsExchange size={16} aria-hidden />}
        >
          {t('swaps')}
        </Button>
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !of ? (
        <Bone height={420} />
      ) : (
        <Stack>
          <Card
            title={t('coming')}
            aside={
              of.shifts.length > 0 && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconCalendarDown size={14} aria-hidden />}
                  onClick={() => void download(calls.calendar).catch((problem: unknown) => notify.error(problem))}
                >
                  {t('calendar')}
                </Button>
              )
            }
          >
            {coming.length ? (
              <DutyList duties={coming} swap={setSwapping} />
            ) : (
              <Empty title={t('no_duties')} text={t('no_duties_text')} />
            )}
          </Card>
          <Card
            title={t('free_days')}
            text={t('free_days_text')}
            aside={
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconCalendarOff size={14} aria-hidden />}
                onClick={() => setWishing(true)}
              >
                {t('choose_days')}
              </Button>
            }
          >
            {of.wishes.length ? (
              <ul className={css.duties}>
                {of.wishes.map((day) => (
                  <li key={day}>{formatDate(day, 'weekday')}</li>
                ))}
              </ul>
            ) : (
              <Empty title={t('no_free_days')} />
            )}
          </Card>
          {past.length > 0 && (
            <Card title={t('past')}>
              <DutyList duties={past} />
            </Card>
          )}
        </Stack>
      )}
      {of && wishing && <WishDialog of={of} onClose={() => setWishing(false)} />}
      {swapping && <SwapDialog duty={swapping} onClose={() => setSwapping(null)} />}
    </Page>
  )
}

function DutyList({ duties, swap }: { duties: readonly Duty[]; swap?: (duty: Duty) => void }) {
  const t = useT('logbook')
  return (
    <ul className={css.entries}>
      {duties.map((one) => (
        <li key={one.id}>
          <div className={css.line}>
            <strong>{formatDate(one.day, 'weekday')}</strong>
            {swap && Date.parse(one.starts_at) > Date.now() && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconArrowsExchange size={14} aria-hidden />}
                onClick={() => swap(one)}
              >
                {t('swap')}
              </Button>
            )}
          </div>
          <small>
            <bdi>{nameOf(one.kind)}</bdi> · {formatTimeRange(one.kind.from_time, one.kind.to_time)} ·{' '}
            <bdi>{nameOf(one.training)}</bdi>
            {one.supervisors.length > 0 && ` · ${formatList(one.supervisors.map((who) => nameOf(who)))}`}
          </small>
        </li>
      ))}
    </ul>
  )
}

/** Days that one would rather have free: drawn around as far as it can be. */
function WishDialog({ of, onClose }: { of: OwnDuties; onClose: () => void }) {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/duties')
  const [days, setDays] = useState<readonly string[]>(of.wishes)
  return (
    <Modal opened onClose={onClose} title={t('choose_days')}>
      <Stack gap={12}>
        <ul className={css.duties}>
          {days.map((day) => (
            <li key={day}>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('not_free', { day: formatDate(day) })}
                onClick={() => setDays(days.filter((one) => one !== day))}
              >
                {formatDate(day, 'weekday')} ×
              </Button>
            </li>
          ))}
        </ul>
        <Form
          bar="dialog"
          submit={t('keep')}
          onCancel={onClose}
          always
          fields={{ from: f.date(asLabel(t('free_from'))), until: f.date(asLabel(t('free_until'))) }}
          values={{ from: null, until: null }}
          onSave={({ from, until }) => {
            const added: string[] = []
            if (from)
              for (
                let day = String(from);
                day <= String(until ?? from) && added.length < WISH_DAYS;
                day = addDays(day, 1)
              )
                added.push(day)
            return send(calls.wishes, { body: { days: [...new Set([...days, ...added])].toSorted().slice(0, 30) } })
          }}
          onSaved={() => {
            notify.done(t('days_kept'))
            onClose()
          }}
        />
      </Stack>
    </Modal>
  )
}

/** Duties of others with which this one may be swapped, by all rules. */
function SwapDialog({ duty, onClose }: { duty: Duty; onClose: () => void }) {
  const t = useT('logbook')
  const { send } = useChange('/emtyaz/duties', '/duty-swaps', '/users/work')
  const { data, error, refetch } = useCall(calls.swappable, { params: { id: duty.id } })
  return (
    <Modal opened onClose={onClose} title={t('swap_title', { day: formatDate(duty.day, 'weekday') })}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={160} />
      ) : data.data.length === 0 ? (
        <Empty title={t('nobody_swaps')} text={t('nobody_swaps_text')} />
      ) : (
        <Form
          bar="dialog"
          submit={t('ask_swap')}
          onCancel={onClose}
          fields={{
            with: f.choice(
              asLabel(t('swap_with')),
              data.data.map((one) => ({
                value: String(one.id),
                label: asLabel(`${formatDate(one.day, 'weekday')} · ${nameOf(one.kind)} · ${nameOf(one.student)}`),
              })),
              { required: true },
            ),
            why: f.longText(asLabel(t('why')), { required: true, max: 500 }),
          }}
          values={null}
          onSave={({ with: other, why }) =>
            send(calls.swap, { body: { shift_id: duty.id, with_shift_id: Number(other), why: String(why) } })
          }
          onSaved={() => {
            notify.done(t('swap_asked'))
            onClose()
          }}
        />
      )}
    </Modal>
  )
}
