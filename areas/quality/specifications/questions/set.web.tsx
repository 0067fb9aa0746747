import { ActionIcon, Button, Modal, MultiSelect, NumberInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { decimalAsWritten, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { questionMarkCalls, type QuestionedComponent, type QuestionSheet } from './question.contract.ts'
import { sumOf } from './question.rules.ts'
import css from '../specifications.module.css'

interface Line {
  readonly key: number
  readonly id: number | undefined
  readonly label: string
  readonly max: string
  readonly outcomes: readonly string[]
}
let keys = 0
const fresh = (label: string): Line => ({ key: ++keys, id: undefined, label, max: '', outcomes: [] })

/** The questions of a component as lines: what they are called, how much they give, which outcomes they measure. */
export function SetQuestions({
  of,
  sheet,
  onClose,
}: {
  of: QuestionedComponent
  sheet: QuestionSheet
  onClose: () => void
}) {
  const t = useT('specifications')
  const { busy, problem, go, send } = useChange('/specifications/questions')
  const [lines, setLines] = useState<readonly Line[]>(() =>
    of.questions.length ? of.questions.map((question) => ({ key: ++keys, ...question })) : [fresh('1')],
  )
  const change = (key: number, said: Partial<Line>) =>
    setLines((had) => had.map((line) => (line.key === key ? { ...line, ...said } : line)))
  const sum = sumOf(lines.map(({ max }) => max))
  const save = async () => {
    const questions = lines.map(({ key: _, id, label, max, outcomes }) => ({
      ...(id !== undefined && { id }),
      label: label.trim(),
      max,
      outcomes: [...outcomes],
    }))
    const done = await go(() =>
      send(questionMarkCalls.set, { params: { id: sheet.offering.id }, body: { component_id: of.id, questions } }),
    )
    if (done) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('questions_of', { name: nameOf(of), max: of.max })} size="xl">
      <div className={css.say}>
        <p>{t('questions_set_text')}</p>
        <ol className={css.questionLines}>
          {lines.map((line, i) => (
            <QuestionLine
              key={line.key}
              line={line}
              at={i + 1}
              outcomes={sheet.outcomes}
              onChange={(said) => change(line.key, said)}
              onRemove={() => setLines((had) => had.filter(({ key }) => key !== line.key))}
            />
          ))}
        </ol>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setLines((had) => [...had, fresh(String(had.length + 1))])}
        >
          {t('question_add')}
        </Button>
        <p role="status">
          {t('questions_sum', {
            sum: decimalAsWritten(trimHundredths(sum)),
            max: formatNumber(Number(of.max)),
          })}
        </p>
        {problem !== null && <Problems error={problem} />}
        <Submit
          loading={busy}
          missing={lines.flatMap((line, i) => {
            const place = { at: formatNumber(i + 1) }
            return [
              line.label.trim() === '' && t('question_label_at', place),
              line.max === '' && t('question_max_at', place),
            ]
          })}
          onCancel={onClose}
          onClick={() => void save()}
        >
          {t('questions_save')}
        </Submit>
      </div>
    </Modal>
  )
}

function QuestionLine({
  line,
  at,
  outcomes,
  onChange,
  onRemove,
}: {
  line: Line
  at: number
  outcomes: QuestionSheet['outcomes']
  onChange: (said: Partial<Line>) => void
  onRemove: () => void
}) {
  const t = useT('specifications')
  const lang = useLanguage()
  const place = { at: formatNumber(at) }
  // What it had before stays, though the outcome is gone.
  const gone = line.outcomes.filter((code) => !outcomes.some((one) => one.code === code))
  return (
    <li>
      <TextInput
        label={t('question_label_at', place)}
        value={line.label}
        maxLength={20}
        onChange={({ currentTarget }) => onChange({ label: currentTarget.value })}
      />
      <NumberInput
        label={t('question_max_at', place)}
        value={line.max}
        min={0}
        max={999.99}
        decimalScale={2}
        hideControls
        onChange={(value) => onChange({ max: String(value) })}
      />
      <MultiSelect
        label={<Optional label={t('question_outcomes_at', place)} />}
        searchable
        data={[
          ...outcomes.map(({ code, text, text_local }) => ({
            value: code,
            label: `${code} ${lang === 'ar' ? text_local : text}`,
          })),
          ...gone.map((code) => ({ value: code, label: code })),
        ]}
        value={[...line.outcomes]}
        onChange={(codes) => onChange({ outcomes: codes })}
      />
      <ActionIcon variant="subtle" size="lg" aria-label={t('question_remove_at', place)} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </li>
  )
}
