import { Fragment } from 'react'
import { Card } from '#kit/web/shell/card.tsx'
import type { FormAnswer, FormAnswers, FormQuestion } from '../types/form.contract.ts'
import { QuestionField } from './question-field.web.tsx'
import { useFormWords } from './words.web.ts'
import css from '../questionnaires.module.css'

/** Questions below each other, each in a frame, with the headings of their sections. */
export function FormQuestions({
  asked,
  answers,
  onAnswer,
}: {
  asked: readonly FormQuestion[]
  answers: FormAnswers
  onAnswer: (key: string, answer: FormAnswer) => void
}) {
  const words = useFormWords()
  return asked.map((question, i) => {
    const { section } = question
    return (
      <Fragment key={question.key}>
        {section && section.name !== asked[i - 1]?.section?.name && (
          <h2 className={css.section} dir="auto">
            {words(section)}
          </h2>
        )}
        <Card>
          <QuestionField
            of={question}
            value={answers[question.key] ?? null}
            onChange={(answer) => onAnswer(question.key, answer)}
          />
        </Card>
      </Fragment>
    )
  })
}
