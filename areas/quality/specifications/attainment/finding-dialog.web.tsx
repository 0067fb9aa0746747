import { Modal } from '@mantine/core'
import { useMemo } from 'react'
import { f } from '#kit/contract/field.ts'
import { resourceCalls } from '#kit/contract/resource.ts'
import { useChange } from '#kit/web/api/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AttainmentReport } from './attainment.contract.ts'
import { qualityFinding } from './finding.contract.ts'

const calls = resourceCalls(qualityFinding)
const { finding, action, responsible_id, due_on } = qualityFinding.fields

/** Plans what is done about an outcome. */
export function FindingDialog({
  of,
  report,
  onClose,
}: {
  readonly of: { readonly course_id: number | null; readonly program_id: number | null }
  readonly report: AttainmentReport
  readonly onClose: () => void
}) {
  const t = useT('specifications')
  const lang = useLanguage()
  const { send } = useChange('/quality-findings')
  // What was missed comes first, in the latest year that was measured.
  const missed = report.outcomes.find((one) => one.attained === false) ?? report.outcomes[0]
  const at = missed?.measured.findLastIndex((one) => one !== null) ?? -1
  const fields = useMemo(
    () => ({
      outcome_code: f.choice(
        asLabel(t('outcome')),
        report.outcomes.map(({ code, text, text_local }) => ({
          value: code,
          label: asLabel(`${code} ${lang === 'ar' ? text_local : text}`),
        })),
        { required: true },
      ),
      year_id: f.choice(
        asLabel(t('year')),
        report.years.map((year) => ({ value: year.id, label: asLabel(nameOf(year, lang)) })),
        { required: true },
      ),
      finding,
      action,
      responsible_id,
      due_on,
    }),
    [report, t, lang],
  )
  return (
    <Modal opened onClose={onClose} title={t('plan_finding')}>
      <Form
        fields={fields}
        values={{
          outcome_code: missed?.code ?? null,
          year_id: (report.years[at] ?? report.years.at(-1))?.id ?? null,
        }}
        bar="dialog"
        always
        onCancel={onClose}
        onSave={(values) =>
          send(calls.create, {
            body: {
              ...values,
              ...(of.course_id === null ? { program_id: of.program_id } : { course_id: of.course_id }),
            },
          })
        }
        onSaved={onClose}
      />
    </Modal>
  )
}
