import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { applicant } from '../applicant/applicant.contract.ts'
import type { DegreeKind } from '../words.contract.ts'
import { decimalText } from '#kit/web/fields/digits.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Question, type ListedChoice } from './fields.web.tsx'
import type { TabProps } from './tab.web.tsx'
import css from './apply.module.css'

interface SubjectOf {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly max_mark: string
  readonly is_required: boolean
}
interface Mark {
  readonly certificate_subject_id: number
  readonly mark: string
}

/** The marks of the certificate that was chosen: one field a subject, with what it is out of. */
export function Marks({
  application,
  hand,
  problemOf,
  certificates,
}: TabProps & { certificates: readonly ListedChoice[] | undefined }) {
  const t = useT('applicants')
  const lang = useLanguage()
  const { values } = application
  const certificate = certificates?.find((one) => one.id === values.certificate_type_id)
  const subjects = (certificate?.extra?.subjects ?? []) as readonly SubjectOf[]
  const marks = (values.subjects ?? []) as readonly Mark[]
  if (!certificate) return null
  const save = (id: number, mark: string | null) =>
    hand.put({
      subjects: [
        ...marks.filter(
          (one) =>
            one.certificate_subject_id !== id && subjects.some((known) => known.id === one.certificate_subject_id),
        ),
        ...(mark === null ? [] : [{ certificate_subject_id: id, mark }]),
      ],
    })
  return (
    <>
      {subjects.length > 0 && (
        <fieldset
          className={css.marks}
          disabled={!application.open || application.nominated?.fields.includes('subjects')}
        >
          <legend>{t('marks')}</legend>
          {subjects.map((one) => (
            <MarkField
              key={one.id}
              label={nameOf(one, lang)}
              hint={t('out_of', { max: Number(one.max_mark) })}
              value={marks.find((given) => given.certificate_subject_id === one.id)?.mark ?? ''}
              error={problemOf(`subjects.${one.id}`)}
              onSave={(mark) => save(one.id, mark)}
            />
          ))}
        </fieldset>
      )}
      {application.percentage !== null && problemOf('certificate_total') === null && (
        <p className={css.figure} role="status">
          {t('your_percentage')} <bdi>{Number(application.percentage)}%</bdi>
        </p>
      )}
    </>
  )
}

function MarkField({
  label,
  hint,
  value,
  error,
  onSave,
}: {
  label: string
  hint: string
  value: string
  error: string | null
  onSave: (mark: string | null) => void
}) {
  const t = useT('applicants')
  const [text, setText] = useState<string | null>(null)
  const [strange, setStrange] = useState(false)
  return (
    <TextInput
      size="md"
      label={label}
      description={hint}
      dir="ltr"
      inputMode="decimal"
      value={text ?? (value === '' ? '' : String(Number(value)))}
      error={strange ? t('not_a_mark') : error}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        if (text === null) return
        const clean = text.trim() === '' ? null : decimalText(text.trim())
        setStrange(text.trim() !== '' && clean === null)
        if (text.trim() !== '' && clean === null) return
        setText(null)
        if ((clean ?? '') !== value) onSave(clean)
      }}
    />
  )
}

type Degree = Readonly<Record<string, unknown>> & { readonly degree: DegreeKind }
const DEGREE_FIELDS = applicant.fields.degrees.rows!.fields
const ASKED = ['university', 'faculty', 'program', 'year', 'percentage'] as const
const NEEDED: readonly string[] = ['university', 'year', 'percentage']

/** One degree: it is saved when what must be known of it is there. */
export function DegreeQuestions({ application, hand, problemOf, degree }: TabProps & { degree: DegreeKind }) {
  const degrees = (application.values.degrees ?? []) as readonly Degree[]
  const stored = degrees.find((one) => one.degree === degree)
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>({})
  const shown: Readonly<Record<string, unknown>> = { ...stored, ...typed }
  const save = (name: string, value: unknown) => {
    const next: Record<string, unknown> = { ...shown, [name]: value, degree }
    setTyped((had) => ({ ...had, [name]: value }))
    const others = degrees.filter((one) => one.degree !== degree)
    const whole = NEEDED.every((one) => next[one] !== null && next[one] !== undefined && next[one] !== '')
    if (whole)
      hand.put({ degrees: [...others, Object.fromEntries(Object.entries(next).filter(([, one]) => one != null))] })
    else if (stored && Object.values({ ...next, degree: null }).every((one) => one === null || one === undefined))
      hand.put({ degrees: others })
  }
  const wrong = problemOf('degrees')
  return (
    <>
      {ASKED.map((name) => (
        <Question
          key={name}
          name={name}
          field={DEGREE_FIELDS[name]!}
          value={shown[name]}
          error={null}
          required={NEEDED.includes(name)}
          disabled={!application.open}
          onSave={(value) => save(name, value)}
        />
      ))}
      {wrong && Object.keys(typed).length > 0 && <p className={css.wrong}>{wrong}</p>}
    </>
  )
}
