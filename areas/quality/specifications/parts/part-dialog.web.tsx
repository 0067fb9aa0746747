import { OUTCOME_DOMAINS } from '#areas/quality/questionnaires/types/form.contract.ts'
import { Modal } from '@mantine/core'
import { useMemo } from 'react'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import type { SpecificationSheet } from '../matrix/matrix.contract.ts'
import { OUTCOME_LEVELS, REFERENCE_KINDS } from '../spec/words.contract.ts'
import { partCalls, type PartInput, type PartKind } from './parts.contract.ts'
import type { AnyPart } from './parts.web.tsx'

const TEXTS = {
  text: f.longText(['In English', 'بالإنجليزية'], { required: true, max: 600 }),
  text_local: f.longText(['In Arabic', 'بالعربية'], { required: true, max: 600 }),
}
const FIELDS = {
  outcomes: {
    code: f.text(['Code', 'الكود'], { required: true, max: 12 }),
    domain: f.choice(['Domain', 'المجال'], OUTCOME_DOMAINS, { required: true }),
    level: f.choice(['Level', 'المستوى'], OUTCOME_LEVELS, { required: true }),
    verb: f.text(['Verb', 'الفعل'], {
      max: 40,
      help: ['By which it can be observed: explain, design.', 'الفعل الذي يُقاس به الناتج، مثل يشرح أو يصمم.'],
    }),
    ...TEXTS,
    target: f.integer(['Target, in percent of students', 'المستهدف من نسبة الطلاب'], {
      min: 1,
      max: 100,
      help: ['Empty: as the specification says.', 'اتركه فارغًا ليسري ما في التوصيف.'],
    }),
  },
  topics: {
    ...TEXTS,
    weeks: f.integer(['Weeks', 'عدد الأسابيع'], { min: 1, max: 52 }),
    hours: f.decimal(['Contact hours', 'ساعات الاتصال'], { places: 2, min: 0.01, max: 400 }),
  },
  methods: TEXTS,
  assessments: {
    ...TEXTS,
    weight: f.decimal(['Weight in percent', 'الوزن بالنسبة المئوية'], {
      places: 2,
      required: true,
      min: 0.01,
      max: 100,
    }),
    week: f.integer(['Week', 'الأسبوع'], { min: 1, max: 52 }),
    mark_category_id: f.lookup(['Part of the marks', 'بند الدرجات'], 'markCategory', {
      help: [
        'Under which its marks are entered: attainment is measured by them.',
        'البند الذي تُرصد فيه درجاته، وبه يُقاس تحقق النواتج.',
      ],
    }),
  },
  references: {
    kind: f.choice(['Kind', 'النوع'], REFERENCE_KINDS, { required: true }),
    text: f.longText(['Cited work', 'المرجع'], { required: true, max: 600 }),
  },
}

/** Where it stands among those of its kind; a new one comes last. */
const PLACE = { position: f.integer(['Order', 'الترتيب'], { required: true, min: 1, max: 999 }) }

/** Adds a part to a specification, or changes one. */
export function PartDialog({
  kind,
  sheet,
  part,
  onClose,
}: {
  readonly kind: PartKind
  readonly sheet: SpecificationSheet
  readonly part: AnyPart | null
  readonly onClose: () => void
}) {
  const t = useT('specifications')
  const { send } = useChange('/specifications')
  const type = sheet.of === 'course' ? ('courses-specs' as const) : ('programs-specs' as const)
  const values = useMemo(
    () =>
      part && {
        ...part,
        ...(kind === 'assessments' && {
          mark_category_id: (part.mark_category as { id: number } | null)?.id ?? null,
        }),
      },
    [part, kind],
  )
  return (
    <Modal opened onClose={onClose} title={t(part ? `change_${kind}` : `add_${kind}`)}>
      <Form
        fields={part ? { ...FIELDS[kind], ...PLACE } : FIELDS[kind]}
        values={values}
        bar="dialog"
        always={!part}
        onCancel={onClose}
        onSave={(all, changed, version) =>
          part
            ? send(partCalls.change, {
                params: { type, kind, id: part.id },
                body: { ...(changed as PartInput), version: version ?? part.version },
              })
            : send(partCalls.add, {
                params: { type, kind },
                body: {
                  ...(Object.fromEntries(
                    Object.entries(all).filter(([, value]) => value !== null && value !== ''),
                  ) as PartInput),
                  specification_id: sheet.id,
                },
              })
        }
        onSaved={onClose}
      />
    </Modal>
  )
}
