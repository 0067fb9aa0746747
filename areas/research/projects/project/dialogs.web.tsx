import { Modal } from '@mantine/core'
import { z } from 'zod'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { todayIso } from '#kit/web/fields/dates.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { PROJECT_DOCUMENT_KINDS, projectCalls as calls, type ProjectParts } from './project.contract.ts'

interface Of {
  readonly id: number
  readonly onClose: () => void
}
/** Money spent from a line; more than it has left only with a reason. */
export function SpendDialog({ id, lines, onClose }: Of & { readonly lines: ProjectParts['lines'] }) {
  const t = useT('projects')
  const { send } = useChange('/projects')
  const fields = {
    line_id: f.choice(
      ['Budget line', 'بند الميزانية'],
      lines.map((line) => ({ value: line.id, label: [line.name, line.name] as const })),
      { required: true },
    ),
    spent_on: f.date(['Spent on', 'تاريخ الصرف'], { required: true }),
    amount: f.money(['Amount', 'المبلغ'], { required: true }),
    what: f.text(['For what', 'الغرض'], { required: true, max: 300 }),
    over_reason: f.text(['Why more than the line has left', 'سبب تجاوز المتبقي في البند'], { max: 500 }),
    file: { ...f.file(['Receipt', 'الإيصال'], { accept: ['pdf', 'png', 'jpg'] }), schema: z.unknown() },
  }
  return (
    <Modal opened onClose={onClose} title={t('spend')}>
      <Form
        fields={fields}
        values={{
          line_id: lines[0]?.id ?? null,
          spent_on: todayIso(),
          amount: null,
          what: null,
          over_reason: null,
          file: null,
        }}
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSave={({ line_id, spent_on, amount, what, over_reason, file }) => {
          const chosen = (file as File | null) ?? undefined
          const body = {
            line_id: chosen ? String(line_id) : Number(line_id),
            spent_on: String(spent_on),
            amount: chosen ? String(amount) : Number(amount),
            what: String(what),
            ...(over_reason ? { over_reason: String(over_reason) } : {}),
          }
          return send(calls.spend, { params: { id }, body: body, ...(chosen && { file: chosen }) })
        }}
        onSaved={onClose}
      />
    </Modal>
  )
}

const DOCUMENT = {
  kind: f.choice(['Kind', 'النوع'], PROJECT_DOCUMENT_KINDS, { required: true }),
  name: f.text(['Name', 'الاسم'], { required: true, max: 200 }),
  file: {
    ...f.file(['File', 'الملف'], { required: true, accept: ['pdf', 'docx', 'xlsx', 'png', 'jpg'] }),
    schema: z.unknown(),
  },
}
/** A report or another document. */
export function DocumentDialog({ id, onClose }: Of) {
  const t = useT('projects')
  const { send } = useChange('/projects')
  return (
    <Modal opened onClose={onClose} title={t('add_document')}>
      <Form
        fields={DOCUMENT}
        values={{ kind: 'progress_report', name: null, file: null }}
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSave={({ kind, name, file }) =>
          send(calls.addDocument, { params: { id }, body: { kind, name } as never, file: file as File })
        }
        onSaved={onClose}
      />
    </Modal>
  )
}

const WORKS = {
  publication_ids: f.lookups(['Publications', 'المنشورات العلمية'], 'publication', {
    through: { table: 'project_publications', from: 'project_id', to: 'publication_id' },
  }),
}
/** Publications that came of it. */
export function LinkDialog({ id, works, onClose }: Of & { readonly works: ProjectParts['publications'] }) {
  const t = useT('projects')
  const { send } = useChange('/projects')
  return (
    <Modal opened onClose={onClose} title={t('choose_works')}>
      <Form
        fields={WORKS}
        values={{
          publication_ids: works.map((one) => ({ id: one.id, name: one.title, name_local: one.title_local })) as never,
        }}
        bar="dialog"
        always
        submit={t('save')}
        onCancel={onClose}
        onSave={({ publication_ids }) =>
          send(calls.link, { params: { id }, body: { publication_ids: publication_ids as number[] } })
        }
        onSaved={onClose}
      />
    </Modal>
  )
}
