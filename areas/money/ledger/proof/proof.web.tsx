import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatAgo, formatInstant, formatMoney, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { proofCalls, type LedgerFinding, type Proof } from './proof.contract.ts'
import shared from '../../money.module.css'
import css from '../ledger.module.css'

/** What proving said last, with what was found; who may proves again. */
export function ProofCard() {
  const t = useT('ledger')
  const { data, error, refetch } = useCall(proofCalls.last)
  const { problem, busy, go, send } = useChange()
  const [job, setJob] = useState<string | null>(null)
  const proof = data?.data
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={122} />
  const start = async () => {
    const sent = await go(() => send(proofCalls.verify, { body: {} }))
    if (sent) setJob(sent.answer.job_id)
  }
  return (
    <Card
      title={t('proof')}
      aside={
        may('verify_ledger') && job === null ? (
          <Button
            size="compact-sm"
            variant="default"
            loading={busy}
            leftSection={<IconShieldCheck size={15} aria-hidden />}
            onClick={() => void start()}
          >
            {t('prove')}
          </Button>
        ) : undefined
      }
    >
      <Stack gap={10}>
        {job !== null && (
          <ProgressJob
            id={job}
            label={t('proving')}
            onDone={() => {
              setJob(null)
              void refetch()
            }}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        {proof ? <Said proof={proof} /> : <p className={shared.text}>{t('never_proven')}</p>}
      </Stack>
    </Card>
  )
}

function Said({ proof }: { proof: Proof }) {
  const t = useT('ledger')
  const lang = useLanguage()
  return (
    <>
      <div className={css.proof}>
        <Status
          is={proof.count ? 'failed' : 'done'}
          label={proof.count ? t('found', { count: proof.count }) : t('whole')}
        />
        <time dateTime={proof.proven_at} title={formatInstant(proof.proven_at)}>
          {formatAgo(proof.proven_at)}
        </time>
        <span className={shared.dim}>
          {proof.proven_by ? <bdi>{nameOf(proof.proven_by, lang)}</bdi> : t('by_night')}
        </span>
        <span className={shared.dim}>
          {t('proven_size', {
            count: proof.postings,
            entries: formatNumber(proof.entries),
            seconds: formatNumber(proof.seconds, 1),
          })}
        </span>
      </div>
      {proof.count === 0 && <p className={shared.text}>{t('proof_text')}</p>}
      {proof.findings.length > 0 && <Findings rows={proof.findings} />}
      {proof.count > proof.findings.length && (
        <p className={shared.text}>
          {t('first_of', { shown: formatNumber(proof.findings.length), count: proof.count })}
        </p>
      )}
    </>
  )
}

function Findings({ rows }: { rows: readonly LedgerFinding[] }) {
  const t = useT('ledger')
  const amount = (minor: number | null, currency: string | null) =>
    minor === null ? (
      <span className={shared.dim}>–</span>
    ) : (
      <Code>{currency ? formatMoney(minor, currency) : formatNumber(minor)}</Code>
    )
  return (
    <DataTable
      caption={t('findings')}
      rows={rows.map((row, i) => ({ ...row, id: i, of: row.id }))}
      rowHref={(row) => (row.record === 'entry' && row.of !== null ? to('/ledger/entries/:id', { id: row.of }) : null)}
      rowName={(row) => t(`found_${row.kind}`)}
      columns={[
        { key: 'kind', label: ['What was found', 'ما وُجد'], width: 320, cell: (row) => t(`found_${row.kind}`) },
        {
          key: 'record',
          label: ['Record', 'السجل'],
          width: 200,
          cell: (row) => (
            <span>
              {t(`record_${row.record}`)} <Code>{row.name ?? row.of ?? ''}</Code>
            </span>
          ),
        },
        {
          key: 'student',
          label: ['Student', 'الطالب'],
          width: 190,
          cell: (row) => (row.student ? <Name row={row.student} /> : <span className={shared.dim}>–</span>),
        },
        {
          key: 'expected',
          label: ['Should be', 'المفترض'],
          width: 140,
          align: 'end',
          cell: (row) => amount(row.expected, row.currency),
        },
        {
          key: 'found',
          label: ['Is', 'الموجود'],
          width: 140,
          align: 'end',
          cell: (row) => amount(row.found, row.currency),
        },
      ]}
    />
  )
}
