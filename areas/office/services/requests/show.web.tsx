import { Button } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Failed } from '#kit/web/feedback/index.ts'
import { formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { OfficeParts } from './office.web.tsx'
import { Answers, Offices, ServiceAnswer, ServiceFee } from './parts.web.tsx'
import { service, serviceCalls, serviceFlow, type ServiceDetail } from './service.contract.ts'
import css from '../services.module.css'

const calls = resourceCalls(service)
/** Steps that stand with the note of the office, or with the corrections of who asked. */
const ELSEWHERE = new Set(['take_up', 'forward', 'finish', 'resend', 'cancel'])
/** States in which it is no office's turn, and somebody may still act. */
const HELD = new Set(['fee_due', 'asked_back'])

/** A request in full, for who asked and for offices. */
export default function ShowService() {
  return <ShownService id={Number(useParams().id)} />
}

export function ShownService({ id }: { id: number }) {
  const me = useMe()
  const { data, error, refetch } = useCall(serviceCalls.show, { params: { id } })
  const of = data?.data
  if (error && !of) return <Failed error={error} retry={() => void refetch()} />
  if (!of)
    return (
      <Page title={'\u00A0'}>
        <Bone height={420} />
      </Page>
    )
  const own = of.staff ? of.staff.id === me.user.id : of.student?.id === me.user.student_id
  const office = !own && me.can('decide_service', 'manage_service')
  return (
    <Page
      title={nameOf(of.kind)}
      subtitle={office ? nameOf(of.staff ?? of.student) : formatInstant(of.created_at)}
      wide={false}
      action={of.mine && !office ? <Correct of={of} /> : undefined}
    >
      <Stack>
        <Standing of={of} office={office} />
        {office ? (
          <OfficeParts id={id} version={of.version} />
        ) : (
          <>
            <ServiceAnswer of={of} />
            <Offices of={of} />
            <ServiceFee of={of} />
            <Answers of={of} />
          </>
        )}
        {office && <History id={id} />}
      </Stack>
    </Page>
  )
}

function Standing({ of, office }: { of: ServiceDetail; office: boolean }) {
  const t = useT('services')
  return (
    <Card title={t('request')} aside={<StateBadge flow={serviceFlow} state={of.status} />}>
      <div className={css.standing}>
        {of.why && <p dir="auto">{of.why}</p>}
        <StepLine flow={serviceFlow} calls={service.steps} id={of.id} state={of.status} />
        {office
          ? (of.turn || HELD.has(of.status)) && <Decisions id={of.id} />
          : of.mine && of.status !== 'asked_back' && <Withdraw of={of} />}
      </div>
    </Card>
  )
}

function Correct({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  return (
    <Button
      component={Link}
      to={to('/other/edit/:id', { id: of.id })}
      variant={of.status === 'asked_back' ? 'filled' : 'default'}
      leftSection={<IconEdit size={16} aria-hidden />}
    >
      {t('change')}
    </Button>
  )
}

/** Who asked takes it back while nobody has begun; what was charged is reversed, what was paid is kept in the wallet. */
function Withdraw({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  const { send } = useChange('/services', '/users/work', '/payments')
  const withdraw = () =>
    act({
      ask: {
        title: t('withdraw_question', { name: nameOf(of.kind) }),
        consequence: of.fee ? t(of.fee.paid ? 'withdraw_paid' : 'withdraw_unpaid') : t('withdraw_text'),
        action: t('withdraw'),
        danger: true,
      },
      go: () => send(serviceCalls.withdraw, { params: { id: of.id } }),
      done: () => t('withdrawn'),
    })
  return (
    <div className={css.line}>
      <Button variant="default" color="red" onClick={() => void withdraw()}>
        {t('withdraw')}
      </Button>
    </div>
  )
}

/** Asking back, refusing, and what is done about the fee. */
function Decisions({ id }: { id: number }) {
  const { data } = useCall(calls.get, { params: { id } })
  const steps = useSteps(serviceFlow as never, service.steps, {
    name: (row: { id: number; version: number; abilities: string[] }) =>
      nameOf((row as unknown as { kind: { name: string; name_local: string } }).kind),
    refreshes: ['/services', '/users/work'],
  })
  if (!data) return null
  return (
    <div className={css.line}>
      {steps
        .actions(data.data as never)
        .filter(({ key }) => !ELSEWHERE.has(key))
        .map(({ key, label, disabled, onSelect }) => (
          <Button
            key={key}
            variant="default"
            disabled={disabled !== undefined}
            title={disabled}
            onClick={() => onSelect?.()}
          >
            {label}
          </Button>
        ))}
    </div>
  )
}

function History({ id }: { id: number }) {
  const t = useT('services')
  return (
    <Card title={t('history')}>
      <StepHistory flow={serviceFlow} calls={service.steps} id={id} />
    </Card>
  )
}
