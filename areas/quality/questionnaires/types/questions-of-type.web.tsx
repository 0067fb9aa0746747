import { ActionIcon, Button, Modal } from '@mantine/core'
import { IconGripVertical, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Empty, Failed, notify } from '#kit/web/feedback/index.ts'
import { moved, useReorder } from '#kit/web/fields/reorder.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Cards } from '#kit/web/shell/card.tsx'
import { useFormWords } from '../filling/words.web.ts'
import { CONDITIONS, QUESTION_KINDS, type FormQuestion } from './form.contract.ts'
import { FormPreview } from './preview.web.tsx'
import { questionCalls } from './question.contract.ts'
import { sectionsOf } from './question.rules.ts'
import css from '../questionnaires.module.css'

/** The number of a question, by its key in the form. */
const idOf = ({ key }: Pick<FormQuestion, 'key'>): number => Number(key.slice(1))

/** Under which heading a question stands; null: under none. */
const headingOf = ({ section }: FormQuestion): string | null => section?.name ?? null

/** Questions of a type in their order, beside the form that a phone makes of them. */
export function QuestionsOfType({ row: { id } }: { row: { readonly id: number } }) {
  const { data, error, refetch } = useCall(questionCalls.showType, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={420} />
  const { questions } = data.data
  return (
    <Cards>
      <Ordered type_id={id} questions={questions} />
      {questions.length > 0 && <FormPreview questions={questions} />}
    </Cards>
  )
}

/** The order of questions and sections: as the server has it, or as it was moved until the server has it. */
function useOrdered(questions: readonly FormQuestion[]) {
  const t = useT('questionnaires')
  const { send } = useChange('/questionnaires')
  const [order, setOrder] = useState<readonly FormQuestion[] | null>(null)
  const shown = order ?? questions
  const sections = sectionsOf(shown, headingOf)
  const put = (next: readonly FormQuestion[], place: number, go: () => Promise<unknown>) => {
    setOrder(next)
    void act({ go, done: () => t('at_place', { place: formatNumber(place + 1) }) }).then(() => setOrder(null))
  }
  const byQuestion = useReorder(
    shown.length,
    (from, place) => {
      const one = shown[from]
      if (one)
        put(moved(shown, from, place), place, () =>
          send(questionCalls.reorder, { params: { id: idOf(one), order: place + 1 } }),
        )
    },
    // Said when the server has it: a question does not go before the one on which its condition stands.
    () => undefined,
  )
  const bySection = useReorder(
    sections.length,
    (from, place) => {
      const one = sections[from]?.[0]
      if (one)
        put(moved(sections, from, place).flat(), place, () =>
          send(questionCalls.reorderSection, { params: { id: idOf(one), order: place + 1 } }),
        )
    },
    () => undefined,
  )
  return { shown, sections, byQuestion, bySection }
}

function Ordered({ type_id, questions }: { type_id: number; questions: readonly FormQuestion[] }) {
  const t = useT('questionnaires')
  const words = useFormWords()
  const { may } = useMe()
  const [copying, setCopying] = useState(false)
  const { shown, sections, byQuestion, bySection } = useOrdered(questions)
  const edits = may('edit_questionnaireQuestion')
  const adds = may('add_questionnaireQuestion')
  const places = new Map(shown.map(({ key }, i) => [key, i]))
  return (
    <Card title={t('questions')} text={edits ? t('questions_text') : undefined}>
      {shown.length === 0 && <Empty title={t('no_questions')} text={t('no_questions_text')} />}
      <ol className={css.sections}>
        {sections.map((section, at) => {
          const heading = section[0]?.section
          const name = heading ? words(heading) : t('no_section')
          return (
            <li key={section[0]?.key} {...bySection.place(at)}>
              {sections.length > 1 && (
                <div className={css.sectionHead}>
                  {edits && (
                    <button
                      type="button"
                      className={css.handle}
                      aria-label={t('move_section', { name })}
                      {...bySection.handle(at)}
                    >
                      <IconGripVertical size={16} aria-hidden />
                    </button>
                  )}
                  <strong dir="auto" data-none={heading === null || undefined}>
                    {name}
                  </strong>
                </div>
              )}
              <ol className={css.ordered}>
                {section.map((question) => {
                  const i = places.get(question.key) ?? 0
                  return (
                    <li key={question.key} {...byQuestion.place(i)}>
                      <Line of={question} all={shown} handle={edits ? byQuestion.handle(i) : null} />
                    </li>
                  )
                })}
              </ol>
            </li>
          )
        })}
      </ol>
      {adds && (
        <div className={css.foot}>
          <Button variant="default" onClick={() => setCopying(true)}>
            {t('copy_questions')}
          </Button>
          <Button component={Link} to={to('/questionnaires_questions/add/:type_id?', { type_id })}>
            {t('add_question')}
          </Button>
        </div>
      )}
      {copying && <CopyQuestions type_id={type_id} onClose={() => setCopying(false)} />}
    </Card>
  )
}

/** A question with how it is answered, and when it is asked. */
function Line({
  of,
  all,
  handle,
}: {
  of: FormQuestion
  all: readonly FormQuestion[]
  handle: ReturnType<ReturnType<typeof useReorder>['handle']> | null
}) {
  const t = useT('questionnaires')
  const say = useLabel()
  const words = useFormWords()
  const kind = QUESTION_KINDS.find(({ value }) => value === of.kind)
  const on = all.find(({ key }) => key === of.condition?.key)
  const compares = CONDITIONS.find(({ value }) => value === of.condition?.is)
  return (
    <>
      {handle && (
        <button
          type="button"
          className={css.handle}
          aria-label={t('move_option', { name: words(of.text) })}
          {...handle}
        >
          <IconGripVertical size={16} aria-hidden />
        </button>
      )}
      <span className={css.line}>
        <strong dir="auto">{words(of.text)}</strong>
        <small>{[kind && say(kind.label), !of.required && t('optional')].filter(Boolean).join(' · ')}</small>
        {of.condition && on && compares && (
          <small dir="auto">
            {t('only_if', {
              name: words(on.text),
              is: say(compares.label),
              value: formatNumber(of.condition.value),
            })}
          </small>
        )}
      </span>
      {handle && (
        <ActionIcon
          component={Link}
          to={to('/questionnaires_questions/edit/:id', { id: idOf(of) })}
          variant="subtle"
          size="lg"
          aria-label={t('edit_question', { name: words(of.text) })}
        >
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
      )}
    </>
  )
}

/** Nothing is stored through it here: the call takes ids. */
const THROUGH = { table: '', from: '', to: '' }

function CopyQuestions({ type_id, onClose }: { type_id: number; onClose: () => void }) {
  const t = useT('questionnaires')
  const { send } = useChange('/questionnaires')
  return (
    <Modal opened onClose={onClose} title={t('copy_questions')}>
      <Form
        fields={{
          ids: f.lookups(asLabel(t('questions')), 'questionnaireQuestion', { required: true, through: THROUGH }),
        }}
        bar="dialog"
        always
        submit={t('copy_here')}
        onCancel={onClose}
        onSave={({ ids }) => send(questionCalls.copy, { body: { type_id, ids: ids as number[] } })}
        onSaved={({ data }) => {
          onClose()
          notify.done(t('copied', { count: data.length }))
        }}
      >
        <p className={css.text}>{t('copy_text')}</p>
        <Field name="ids" autoFocus />
      </Form>
    </Modal>
  )
}
