import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { LANGUAGES, type Language } from '#kit/contract/words.ts'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { isQuestionAsked } from '../filling/answers.rules.ts'
import { FormQuestions } from '../filling/questions.web.tsx'
import { FormLanguage } from '../filling/words.web.ts'
import type { FormAnswers, FormQuestion } from './form.contract.ts'
import css from '../questionnaires.module.css'

/** A form as a phone shows it: it can be tried, and nothing of it is sent. */
export function FormPreview({ questions }: { questions: readonly FormQuestion[] }) {
  const t = useT('questionnaires')
  const [lang, setLang] = useState<Language>(useLanguage())
  const [answers, setAnswers] = useState<FormAnswers>({})
  const asked = questions.filter((question) => isQuestionAsked(questions, question, answers))
  return (
    <Card title={t('preview')} text={t('preview_text')}>
      <SegmentedControl
        size="xs"
        aria-label={t('preview_language')}
        data={LANGUAGES.map((one) => ({ value: one, label: one.toUpperCase() }))}
        value={lang}
        onChange={(one) => setLang(one)}
      />
      <div className={css.phone} dir={lang === 'ar' ? 'rtl' : 'ltr'} lang={lang}>
        <FormLanguage value={lang}>
          <FormQuestions
            asked={asked}
            answers={answers}
            onAnswer={(key, answer) => setAnswers((now) => ({ ...now, [key]: answer }))}
          />
        </FormLanguage>
      </div>
    </Card>
  )
}
