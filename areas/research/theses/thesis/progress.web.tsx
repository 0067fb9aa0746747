import { Button, Modal } from '@mantine/core'
import { IconCheck, IconClockPlus, IconFileText, IconPlus, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { act, Empty, Name, notify, Status } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Card, Cards } from '#kit/web/shell/card.tsx'
import { thesisCalls, type WholeThesis } from './whole.contract.ts'
import css from '../theses.module.css'

type Dialog = 'report' | 'seminar' | 'proof' | 'clock'
const UNDER_WAY: ReadonlySet<string> = new Set(['registered', 'approved', 'changing', 'discussed'])

/** Reports, seminars, proofs and the clock. */
export function ThesisProgress({ id, whole, status }: { id: number; whole: WholeThesis; status: string }) {
  const t = useT('theses')
  const [open, setOpen] = useState<Dialog | null>(null)
  const { send } = useChange('/theses')
  const { may, reports, seminars, proofs, clock } = whole
  const goes = UNDER_WAY.has(status)
  const add = (what: Dialog, label: string, icon = <IconPlus size={16} aria-hidden />) => (
    <Button variant="default" leftSection={icon} onClick={() => setOpen(what)}>
      {label}
    </Button>
  )
  const accept = (proof: number, accepted: boolean) =>
    act({
      go: () => send(thesisCalls.acceptProof, { params: { id: proof }, body: { accepted } }),
      done: () => t('kept'),
    })
  return (
    <>
      <Cards>
        <Card
          title={t('reports')}
          text={whole.report_due ? t('report_due', { day: formatDate(whole.report_due) }) : undefined}
          aside={may.supervise && goes && add('report', t('add_report'))}
        >
          {reports.length === 0 && <Empty title={t('no_reports')} text={t('no_reports_text')} />}
          <ul className={css.list}>
            {reports.map((one) => (
              <li key={one.id}>
                <span className={css.line}>
                  <small>
                    {formatDate(one.until_date)} · {one.by ? <Name row={one.by} /> : '–'} ·{' '}
                    {t('progress_of', { percent: formatNumber(one.progress) })}
                  </small>
                  <Status
                    is={one.satisfied ? 'done' : 'late'}
                    label={t(one.satisfied ? 'satisfied' : 'not_satisfied')}
                  />
                </span>
                <p dir="auto">{one.text}</p>
              </li>
            ))}
          </ul>
        </Card>
        <Card title={t('seminars')} aside={may.supervise && goes && add('seminar', t('add_seminar'))}>
          {seminars.length === 0 && <Empty title={t('no_seminars')} text={t('no_seminars_text')} />}
          <ul className={css.rows}>
            {seminars.map((one) => (
              <li key={one.id}>
                <small>{formatDate(one.held_on)}</small>
                <bdi className={css.grow}>{one.title}</bdi>
              </li>
            ))}
          </ul>
        </Card>
        <Card title={t('proofs')} text={t('proofs_text')} aside={may.write && add('proof', t('add_proof'))}>
          {proofs.length === 0 && <Empty title={t('no_proofs')} text={t('no_proofs_text')} />}
          <ul className={css.rows}>
            {proofs.map((one) => (
              <li key={one.id}>
                <small>{t(`proof_${one.kind}`)}</small>
                <bdi className={css.grow}>{one.text}</bdi>
                {one.file && (
                  <a className={css.file} href={one.file.url} target="_blank" rel="noreferrer">
                    <IconFileText size={16} aria-hidden />
                    <bdi>{one.file.name}</bdi>
                  </a>
                )}
                <Status
                  is={one.accepted_at ? 'done' : 'waits'}
                  label={t(one.accepted_at ? 'accepted' : 'not_accepted')}
                />
                {may.supervise && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    leftSection={
                      one.accepted_at ? <IconRotate size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />
                    }
                    onClick={() => void accept(one.id, !one.accepted_at)}
                  >
                    {t(one.accepted_at ? 'take_back' : 'accept')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
        <Card
          title={t('clock')}
          text={t('extensions_left', { count: whole.extensions_left })}
          aside={
            may.decide &&
            goes &&
            status !== 'discussed' &&
            add('clock', t('add_clock'), <IconClockPlus size={16} aria-hidden />)
          }
        >
          {clock.length === 0 && <Empty title={t('no_clock')} text={t('no_clock_text')} />}
          <ul className={css.rows}>
            {clock.map((one) => (
              <li key={one.id}>
                <strong>{t(`clock_${one.kind}`)}</strong>
                <small>{t('from_until', { from: formatDate(one.from_date), until: formatDate(one.until_date) })}</small>
                <bdi className={css.grow}>
                  {one.decision} · {one.reason}
                </bdi>
              </li>
            ))}
          </ul>
        </Card>
      </Cards>
      {open && <ProgressDialog id={id} kind={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function ProgressDialog({ id, kind, onClose }: { id: number; kind: Dialog; onClose: () => void }) {
  const t = useT('theses')
  const { send } = useChange('/theses')
  const [file, setFile] = useState<File | null>(null)
  const forms = {
    report: {
      title: t('add_report'),
      call: thesisCalls.report,
      fields: {
        until_date: f.date(asLabel(t('until')), { required: true }),
        progress: f.integer(asLabel(t('progress_percent')), { required: true, min: 0, max: 100 }),
        satisfied: f.flag(asLabel(t('satisfied'))),
        text: f.longText(asLabel(t('report')), { required: true }),
      },
      values: { satisfied: true },
    },
    seminar: {
      title: t('add_seminar'),
      call: thesisCalls.seminar,
      fields: {
        held_on: f.date(asLabel(t('held_on')), { required: true }),
        title: f.text(asLabel(t('subject')), { required: true, max: 400 }),
      },
      values: {},
    },
    proof: {
      title: t('add_proof'),
      call: thesisCalls.proof,
      fields: {
        kind: f.choice(
          asLabel(t('kind')),
          [
            { value: 'language', label: asLabel(t('proof_language')) },
            { value: 'publication', label: asLabel(t('proof_publication')) },
          ],
          { required: true },
        ),
        text: f.longText(asLabel(t('proof_what')), { required: true, max: 1000 }),
      },
      values: {},
    },
    clock: {
      title: t('add_clock'),
      call: thesisCalls.extend,
      fields: {
        kind: f.choice(
          asLabel(t('kind')),
          [
            { value: 'extension', label: asLabel(t('clock_extension')) },
            { value: 'suspension', label: asLabel(t('clock_suspension')) },
          ],
          { required: true },
        ),
        from_date: f.date(asLabel(t('from')), { help: asLabel(t('suspension_only')) }),
        until_date: f.date(asLabel(t('until')), { help: asLabel(t('suspension_only')) }),
        decision: f.text(asLabel(t('decision_number')), { required: true, max: 100 }),
        reason: f.longText(asLabel(t('why')), { required: true, max: 1000 }),
      },
      values: { kind: 'extension' },
    },
  } as const
  const { title, call, fields, values } = forms[kind]
  const filled = (given: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
  return (
    <Modal opened onClose={onClose} title={title}>
      <Form
        bar="dialog"
        submit={t('save')}
        onCancel={onClose}
        always
        fields={fields}
        values={values}
        below={
          kind === 'proof' ? (
            <label className={css.say}>
              {t('file')}
              <input
                type="file"
                accept=".pdf,.png,.jpg"
                onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
              />
            </label>
          ) : undefined
        }
        onSave={(given) =>
          send(call as typeof thesisCalls.proof, {
            params: { id },
            body: filled(given) as never,
            ...(file && { file }),
          })
        }
        onSaved={() => {
          notify.done(t('kept'))
          onClose()
        }}
      />
    </Modal>
  )
}
