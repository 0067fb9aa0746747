import { applicantDeskCalls } from '#areas/admission/applicants/applicant/desk.contract.ts'
import { applicant } from '#areas/admission/applicants/applicant/applicant.contract.ts'
import { f } from '#kit/contract/field.ts'
import { resourceCalls, type Row } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Empty, Failed, Name, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { LadderOfApplicant } from '../runs/ladder.web.tsx'
import { distributionRunCalls as calls } from '../runs/run.contract.ts'

interface Offered {
  readonly id: number
  readonly name: string
  readonly name_local: string
}
interface Asked {
  program_id: number
  exception: boolean | null
  reason: string | null
}

const applicants = resourceCalls(applicant)

/** The seat of one applicant: given or changed by hand, beside what the latest distribution made of the wishes. */
export default function SeatScreen() {
  const t = useT('distribution')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(applicants.get, { params: { id } })
  const row = data?.data
  return (
    <Page
      title={
        row
          ? nameOf({ name: row.name ?? row.code ?? '', name_local: row.name_local ?? row.code ?? '' }, lang)
          : t('seat')
      }
      subtitle={row ? <Link to={to('/applicants/:id', { id })}>{row.code}</Link> : '\u00A0'}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : row ? (
        <Cards>
          <SeatOfApplicant row={row} />
          <LadderNow id={id} />
        </Cards>
      ) : (
        <Bone height={320} />
      )}
    </Page>
  )
}

function LadderNow({ id }: { id: number }) {
  const t = useT('distribution')
  const { data, error, refetch } = useCall(calls.ladderNow, { params: { id } })
  return (
    <Card title={t('ladder')} text={data?.data ? t('in_run', { run: data.data.run.code ?? '' }) : undefined}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={240} />
      ) : data.data ? (
        <LadderOfApplicant ladder={data.data} />
      ) : (
        <Empty title={t('no_ladder')} />
      )}
    </Card>
  )
}

function SeatOfApplicant({ row }: { row: Row<typeof applicant> }) {
  const t = useT('distribution')
  const waits = row.status === 'DISTRIBUATION_REQUIRED' && !row.program_id
  const held = Boolean(row.program_id)
  return (
    <Card title={t('seat')} text={held ? undefined : t(waits ? 'seat_waits' : 'seat_not_yet')}>
      {row.program && (
        <p>
          <strong>
            <Name row={row.program} />
          </strong>
        </p>
      )}
      {may('assign_applicant') && (waits || (held && row.status !== 'accepted')) && (
        <GiveSeat key={row.version} row={row} held={held} />
      )}
    </Card>
  )
}

function GiveSeat({ row, held }: { row: Row<typeof applicant>; held: boolean }) {
  const t = useT('distribution')
  const { send } = useChange('/applicants')
  const { data, error, refetch } = useCall(applicantDeskCalls.lookups, { params: { id: row.id }, body: {} })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={180} />
  const programs = data.data.programs as readonly Offered[]
  return (
    <Form
      fields={{
        program_id: f.choice(
          asLabel(t('program')),
          programs.map(({ id, name, name_local }) => ({ value: id, label: [name, name_local] as const })),
          { required: true },
        ),
        exception: f.flag(['Although a condition is not met', 'رغم عدم استيفاء شرط'], {
          help: ['Seats are never exceeded. Say why below.', 'لا تُتجاوز الأماكن أبدًا. اذكر السبب أدناه.'],
        }),
        reason: f.longText(['Reason', 'السبب'], { max: 500, required: held }),
      }}
      values={{ program_id: null, exception: false, reason: null }}
      bar="dialog"
      always
      submit={t(held ? 'change_seat' : 'give_seat')}
      onSave={async (values) => {
        const { program_id, exception, reason } = values as unknown as Asked
        const said = { program_id, exception: exception ?? false }
        if (held) await send(calls.change, { params: { id: row.id }, body: { ...said, reason: reason ?? '' } })
        else await send(calls.assign, { params: { id: row.id }, body: { ...said, ...(reason && { reason }) } })
      }}
      onSaved={() => notify.done(t(held ? 'seat_changed' : 'seat_given'))}
    >
      <Field name="program_id" wide />
      <Field name="exception" wide />
      <Field name="reason" wide />
    </Form>
  )
}
