import { useState } from 'react'
import { IconArrowsMove, IconBed, IconClipboardList, IconTrash, IconUserQuestion } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Status, act } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { StateBadge, StepHistory, StepLine } from '#kit/web/workflow/index.ts'
import {
  BED_PRIORITIES,
  STAY_UNITS,
  reservationFlow,
  reservationSteps,
  stayCalls,
  stayFields,
  type StayDetail,
} from './stay.contract.ts'
import { STAY_PATHS, useStaySteps } from './use-steps.web.ts'
import { BedPlace, Days, Mates, stayName } from './words.web.tsx'

const BedsDialog = partDialog(async () => (await import('./beds-dialog.web.tsx')).default)
const InventoryDialog = partDialog(async () => (await import('./inventory-dialog.web.tsx')).default)

const WhoDialog = partDialog(async () => (await import('./who-dialog.web.tsx')).default)
type Opened = 'beds' | 'inventory' | 'who'

/** What can be done with a stay besides its steps. */
function useMore(stay: StayDetail | undefined, open: (what: Opened) => void): RowAction[] {
  const t = useT('hotels')
  const me = useMe()
  const navigate = useNavigate()
  const { send } = useChange(...STAY_PATHS)
  if (!stay) return []
  const can = (ability: string) => stay.abilities.includes(ability)
  return [
    ...(can('confirm')
      ? [
          {
            key: 'choose',
            label: t('choose_bed'),
            icon: <IconBed size={15} aria-hidden />,
            onSelect: () => open('beds'),
          },
        ]
      : []),
    ...(can('move')
      ? [
          {
            key: 'move',
            label: t('move'),
            icon: <IconArrowsMove size={15} aria-hidden />,
            onSelect: () => open('beds'),
          },
        ]
      : []),
    ...(can('check_out') && me.can('charge_hotel') && (stay.student ?? stay.guest)
      ? [
          {
            key: 'inventory',
            label: t('inventory'),
            icon: <IconClipboardList size={15} aria-hidden />,
            onSelect: () => open('inventory'),
          },
        ]
      : []),
    // Of a name alone nobody can be charged.
    ...(stay.guest_name !== null && !stay.removed && me.can('edit_hotel')
      ? [
          {
            key: 'who',
            label: t('name_guest'),
            icon: <IconUserQuestion size={15} aria-hidden />,
            onSelect: () => open('who'),
          },
        ]
      : []),
    ...(can('remove')
      ? [
          {
            key: 'remove',
            label: t('remove'),
            icon: <IconTrash size={15} aria-hidden />,
            tone: 'refused' as const,
            onSelect: () =>
              void act({
                ask: { title: t('remove_question', { code: stay.code }), action: t('remove'), danger: true },
                go: () => send(stayCalls.removeReservation, { params: { id: stay.id } }),
                done: () => t('removed'),
              }).then((done) => done && navigate(to('/reservations'))),
          },
        ]
      : []),
  ]
}

/** One reservation: who sleeps where and until when, what it costs, with whom, and every step. */
export default function Reservation() {
  const id = Number(useParams().id)
  const t = useT('hotels')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { data, error, refetch } = useCall(stayCalls.reservation, { params: { id } })
  const steps = useStaySteps<StayDetail>()
  const [open, setOpen] = useState<Opened | null>(null)
  const stay = data?.data
  const more = useMore(stay, setOpen)
  if (error && !stay)
    return (
      <Page title={t('reservation')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!stay)
    return (
      <Page title={null}>
        <Bone height={420} />
      </Page>
    )
  const next = steps.next(stay)
  return (
    <Page
      title={stayName(stay, lang)}
      subtitle={
        <Dotted>
          <Code>{stay.code}</Code>
          <StateBadge flow={reservationFlow} state={stay.status} />
          {stay.left && <Status is="blocked" label={t('left')} />}
        </Dotted>
      }
      action={next ? <MainButton action={{ ...next, icon: undefined }} /> : undefined}
      menu={<MenuItems actions={[...more, ...steps.actions(stay).filter((one) => one.key !== next?.key)]} />}
    >
      <Stack>
        <StepLine flow={reservationFlow as never} calls={reservationSteps} id={id} state={stay.status} />
        <Card title={t('stay')}>
          <StayFactsCard stay={stay} />
        </Card>
        {stay.mates.length > 0 && (
          <Card title={t('mates')} text={t('mates_text')}>
            <Mates mates={stay.mates} />
          </Card>
        )}
        {stay.damages.length > 0 && (
          <Card title={t('damages')}>
            <Table
              label={t('damages')}
              rows={stay.damages}
              rowKey={(one) => one.id}
              columns={[
                { key: 'what', head: true, cell: (one) => <bdi>{nameOf(one, lang)}</bdi> },
                { key: 'amount', figure: true, cell: (one) => formatMoney(one.amount, 'EGP') },
              ]}
            />
          </Card>
        )}
        <Card title={t('steps')}>
          <StepHistory flow={reservationFlow as never} calls={reservationSteps} id={id} />
        </Card>
      </Stack>
      {open === 'beds' && (
        <BedsDialog
          stay={stay}
          onClose={(now) => {
            setOpen(null)
            if (now !== id) void navigate(to('/reservation/:id', { id: now }))
          }}
        />
      )}
      {open === 'who' && <WhoDialog stay={stay} onClose={() => setOpen(null)} />}
      {open === 'inventory' && <InventoryDialog stay={stay} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function StayFactsCard({ stay }: { stay: StayDetail }) {
  const t = useT('hotels')
  const say = useLabel()
  const me = useMe()
  const word = (list: readonly { value: unknown; label: readonly [string, string] }[], value: unknown) => {
    const known = list.find((one) => one.value === value)
    return known ? say(known.label) : '–'
  }
  const { invoice } = stay
  return (
    <Facts
      items={[
        ...(stay.student
          ? [
              {
                label: t('student'),
                value: me.can('show_students') ? (
                  <Link to={to('/students/:id', { id: stay.student.id })}>
                    <Name row={stay.student} />
                  </Link>
                ) : (
                  <Name row={stay.student} />
                ),
              },
            ]
          : []),
        ...(stay.guest
          ? [
              {
                label: t(stay.guest.kind === 'staff' ? 'staff' : 'guest'),
                value:
                  stay.guest.kind === 'guest' && me.can('show_guest') ? (
                    <Link to={to('/guests/:id', { id: stay.guest.id })}>
                      <Name row={stay.guest} />
                    </Link>
                  ) : (
                    <Name row={stay.guest} />
                  ),
              },
            ]
          : []),
        ...(stay.guest_phone ? [{ label: t('phone'), value: <bdi dir="ltr">{stay.guest_phone}</bdi> }] : []),
        { label: t('days'), value: <Days from={stay.from_day} until={stay.until_day} /> },
        { label: t('bed'), value: <BedPlace row={stay} /> },
        { label: t('kind'), value: stay.kind ? <Name row={stay.kind} /> : t('any_kind') },
        { label: t('paid_by'), value: word(STAY_UNITS, stay.unit) },
        { label: say(stayFields.priority.label), value: word(BED_PRIORITIES, stay.priority) },
        ...(stay.distance_km === null ? [] : [{ label: t('distance'), value: formatNumber(stay.distance_km) }]),
        ...(stay.place === null ? [] : [{ label: t('place'), value: formatNumber(stay.place) }]),
        { label: say(stayFields.asked_at.label), value: formatInstant(stay.asked_at) },
        ...(invoice
          ? [
              {
                label: t('invoice'),
                value: (
                  <span>
                    {me.can('access_payment') ? (
                      <Link to={to('/payments/:id', { id: invoice.id })}>{invoice.number}</Link>
                    ) : (
                      <Code>{invoice.number}</Code>
                    )}{' '}
                    {invoice.reversed
                      ? t('reversed')
                      : t('paid_of', {
                          paid: formatMoney(invoice.settled, invoice.currency),
                          charged: formatMoney(invoice.charged, invoice.currency),
                        })}
                  </span>
                ),
              },
            ]
          : []),
        ...(stay.continues
          ? [
              {
                label: t('continues'),
                value: <Link to={to('/reservation/:id', { id: stay.continues.id })}>{stay.continues.code}</Link>,
              },
            ]
          : []),
        ...(stay.note ? [{ label: t('note'), value: <bdi>{stay.note}</bdi>, wide: true }] : []),
      ]}
    />
  )
}
