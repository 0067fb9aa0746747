import { IconCheck, IconFile, IconX } from '@tabler/icons-react'
import type { Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { FactsOf } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name } from '#kit/web/feedback/index.ts'
import { formatBytes, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { StateBadge, StepHistory } from '#kit/web/workflow/index.ts'
import { certificateFlow } from '../requests/certificate.contract.ts'
import {
  graduateDeskCalls,
  graduateFlow,
  graduateSteps,
  type GraduateFound,
  graduateRequest,
} from './graduate.contract.ts'
import css from './graduates.module.css'

const GIVEN = ['name', 'identity_kind', 'identity', 'birth_date', 'email'] as const

/** What was given beside the record that fits it, and the picture that was sent. */
export function ReviewOfGraduate({ row }: { row: Row<typeof graduateRequest> }) {
  const t = useT('certificates')
  const { data, error, refetch } = useCall(
    graduateDeskCalls.review,
    { params: { id: row.id } },
    { meta: { version: row.version } },
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const { proof, certificate } = data.data
  return (
    <Stack>
      <Cards>
        <Card title={t('grad_given')}>
          <FactsOf fields={graduateRequest.fields} row={row} names={[...GIVEN]} cells={{}} />
        </Card>
        <Card title={t('grad_record')} text={t('grad_record_text')}>
          <Record of={data.data} />
        </Card>
        <Card title={t('grad_proof')}>
          {proof ? <Proof of={proof} /> : <p className={css.dim}>{t('grad_no_proof')}</p>}
        </Card>
      </Cards>
      {certificate && (
        <Card title={t('grad_became')} aside={<StateBadge flow={certificateFlow} state={certificate.status} />}>
          <Link to={to('/certificates/show/:id', { id: certificate.id })}>{t('grad_to_certificate')}</Link>
        </Card>
      )}
      <Card title={t('history')}>
        <StepHistory flow={graduateFlow} calls={graduateSteps} id={row.id} />
      </Card>
    </Stack>
  )
}

/** Whose identity is about to be confirmed: the record by name, and all in which it differs from what was given. */
export function ConfirmedAs({ id, version }: { readonly id: number; readonly version: number }) {
  const t = useT('certificates')
  const say = useLabel()
  const { data, error, refetch } = useCall(graduateDeskCalls.review, { params: { id } }, { meta: { version } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={120} />
  const { consequence } = graduateFlow.actions.confirm
  const differs = data.data.agrees.some(({ same }) => !same)
  return (
    <>
      {consequence && <p>{say(consequence)}</p>}
      <Record of={data.data} />
      {data.data.record && differs && <strong role="alert">{t('grad_confirm_differs')}</strong>}
    </>
  )
}

function Record({ of: { record, agrees } }: { of: GraduateFound }) {
  const t = useT('certificates')
  if (!record) return <p className={css.dim}>{t('grad_no_record')}</p>
  return (
    <>
      <p>
        <Link to={to('/students/:id', { id: record.id })}>
          <Code>{record.code}</Code> <Name row={record} />
        </Link>
        <br />
        <span className={css.dim}>
          <Name row={record.program} /> · <Name row={record.faculty} />
        </span>
      </p>
      <ul className={css.agrees}>
        {agrees.map(({ what, same }) => (
          <li key={what} data-differs={!same || undefined}>
            {same ? <IconCheck size={18} aria-hidden /> : <IconX size={18} aria-hidden />}
            {t(`grad_${same ? 'same' : 'differs'}_${what}`)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Proof({ of }: { of: NonNullable<GraduateFound['proof']> }) {
  const t = useT('certificates')
  return (
    <a className={css.proof} href={of.url} target="_blank" rel="noreferrer">
      {/\.(?:jpe?g|png)$/i.test(of.name) ? (
        <img src={of.url} alt={t('grad_proof')} loading="lazy" />
      ) : (
        <IconFile size={36} stroke={1.4} aria-hidden />
      )}
      <bdi>{of.name}</bdi> · {formatBytes(of.size)}
    </a>
  )
}
