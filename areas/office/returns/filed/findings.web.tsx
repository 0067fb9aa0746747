import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { ACCEPTED_KINDS } from '../cells/finding.rules.ts'
import { useSaidMistake } from '../templates/said.web.ts'
import { returnCalls, type ReturnFinding, type ShownReturn } from './return.contract.ts'
import type { ReturnRow } from './show.web.tsx'
import css from '../returns.module.css'

/** A finding in words. */
function useSaidFinding() {
  const t = useT('returns')
  const mistake = useSaidMistake()
  return ({ kind, data }: ReturnFinding): string => {
    const figure = (name: string) => formatNumber(Number(data[name] ?? 0))
    if (kind === 'empty') return t('found_empty')
    if (kind === 'sum') return t('found_sum', { value: figure('value'), sum: figure('sum'), range: String(data.range) })
    if (kind === 'change')
      return t('found_change', { before: figure('before'), now: figure('value'), percent: figure('percent') })
    return mistake({ kind, data: data as Record<string, string> })
  }
}

/** What was found, cell by cell: mended in the template, or accepted with a reason. */
export function ReturnFindings({ row, shown }: { row: ReturnRow; shown: ShownReturn }) {
  const t = useT('returns')
  const say = useSaidFinding()
  const { may } = useMe()
  const { send } = useChange('/statistical-returns')
  const [accepting, setAccepting] = useState<ReturnFinding | null>(null)
  const mayAccept = row.status === 'draft' && may('fill_statisticalReturn')
  if (!shown.filled_at) return <Empty title={t('not_filled')} text={t('not_filled_text')} />
  if (!shown.findings.length)
    return <Empty title={t('nothing_found')} {...(row.status === 'draft' && { text: t('nothing_found_text') })} />
  return (
    <Card title={t('findings')} text={t('findings_text')}>
      <Table
        label={t('findings')}
        className={css.table}
        rows={shown.findings}
        rowKey={(one) => one.id}
        columns={[
          {
            key: 'cell',
            label: t('cell'),
            head: true,
            cell: (one) => (
              <span className={css.cellName}>
                <bdi>{one.sheet}</bdi> <Code>{one.cell}</Code>
              </span>
            ),
          },
          { key: 'what', label: t('found'), cell: (one) => say(one) },
          {
            key: 'reason',
            label: t('accepted_reason'),
            cell: (one) =>
              one.reason === null ? (
                <span className={css.open}>{t('open_finding')}</span>
              ) : (
                <>
                  {one.reason}
                  {one.accepted_by && <span className={css.by}> – {nameOf(one.accepted_by)}</span>}
                </>
              ),
          },
          mayAccept && {
            key: 'act',
            label: t('accept'),
            unseen: true,
            end: true,
            cell: (one) =>
              ACCEPTED_KINDS.includes(one.kind) ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${t(one.reason === null ? 'accept' : 'change_reason')} ${one.cell}`}
                  onClick={() => setAccepting(one)}
                >
                  {t(one.reason === null ? 'accept' : 'change_reason')}
                </Button>
              ) : (
                <Link to={to('/return-templates/:id', { id: row.template_id ?? 0 })}>{t('mend')}</Link>
              ),
          },
        ]}
      />
      {accepting && (
        <Modal opened onClose={() => setAccepting(null)} title={t('accept_title', { cell: accepting.cell })}>
          <p>{say(accepting)}</p>
          <Form
            bar="dialog"
            submit={t('accept')}
            onCancel={() => setAccepting(null)}
            fields={{ reason: f.longText(asLabel(t('accepted_reason')), { required: true, max: 1000 }) }}
            values={accepting.reason === null ? null : { reason: accepting.reason }}
            always
            onSave={({ reason }) =>
              send(returnCalls.accept, {
                params: { id: row.id },
                body: { finding_id: accepting.id, reason: String(reason) },
              })
            }
            onSaved={() => setAccepting(null)}
          />
        </Modal>
      )}
    </Card>
  )
}
