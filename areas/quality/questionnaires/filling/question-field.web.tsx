import { NumberInput, Textarea } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { formatNumber, useT } from '#kit/web/i18n/index.ts'
import { COMMENT_LETTERS, type FormAnswer, type FormQuestion } from '../types/form.contract.ts'
import { RankingField } from './ranking-field.web.tsx'
import { useFormWords } from './words.web.ts'
import css from '../questionnaires.module.css'

export interface QuestionFieldProps {
  readonly of: FormQuestion
  readonly value: FormAnswer
  readonly onChange: (value: FormAnswer) => void
}

/** One question with the way in which it is answered: large enough for a thumb, and by the keyboard. */
export function QuestionField({ of, value, onChange }: QuestionFieldProps) {
  const t = useT('questionnaires')
  const words = useFormWords()
  return (
    <fieldset className={css.question} dir="auto">
      <legend>
        {words(of.text)}
        {!of.required && <small>{t('optional')}</small>}
      </legend>
      {of.kind === 'grid' ? (
        <Grid of={of} value={value} onChange={onChange} />
      ) : of.kind === 'ranking' ? (
        <RankingField of={of} value={value} onChange={onChange} />
      ) : of.kind === 'number' ? (
        <NumberInput
          aria-label={words(of.text)}
          value={typeof value === 'number' ? value : ''}
          min={of.min ?? 0}
          max={of.max ?? 1_000_000}
          allowDecimal={false}
          onChange={(given) => onChange(typeof given === 'number' ? given : null)}
        />
      ) : of.kind === 'text' ? (
        <>
          <Textarea
            aria-label={words(of.text)}
            value={typeof value === 'string' ? value : ''}
            maxLength={COMMENT_LETTERS}
            autosize
            minRows={3}
            dir="auto"
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <small>{t('comment_help')}</small>
        </>
      ) : (
        <Choices of={of} value={value} onChange={onChange} />
      )}
    </fieldset>
  )
}

/** Points or options beside each other, of which one is chosen, or several. */
function Choices({ of, value, onChange }: QuestionFieldProps) {
  const words = useFormWords()
  const name = useId()
  if (of.kind === 'rating')
    return (
      <Points
        points={of.points ?? 0}
        words={of.options.map(words)}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
      />
    )
  const several = of.kind === 'several'
  const chosen = Array.isArray(value) ? value : [value]
  const choose = (option: number, on: boolean) => {
    if (!several) return onChange(option)
    const rest = chosen.filter((one): one is number => typeof one === 'number' && one !== option)
    onChange(on ? [...rest, option].toSorted((a, b) => a - b) : rest)
  }
  return (
    <div className={css.options}>
      {of.options.map((option, i) => (
        <Choice
          key={option.name}
          name={name}
          several={several}
          checked={chosen.includes(i + 1)}
          onChange={(on) => choose(i + 1, on)}
        >
          {words(option)}
        </Choice>
      ))}
    </div>
  )
}

function Points({
  points,
  words,
  value,
  onChange,
}: {
  points: number
  words: readonly string[]
  value: number | null
  onChange: (value: number) => void
}) {
  const name = useId()
  return (
    <div className={css.points} data-words={words.length > 0 || undefined}>
      {Array.from({ length: points }, (_, i) => (
        <Choice key={i} name={name} checked={value === i + 1} onChange={() => onChange(i + 1)}>
          {words[i] ?? formatNumber(i + 1)}
        </Choice>
      ))}
    </div>
  )
}

function Grid({ of, value, onChange }: QuestionFieldProps) {
  const words = useFormWords()
  const given = Array.isArray(value) ? value : []
  return of.rows.map((row, i) => (
    <fieldset key={row.name} className={css.row}>
      <legend>{words(row)}</legend>
      <Points
        points={of.points ?? 0}
        words={of.options.map(words)}
        value={given[i] ?? null}
        onChange={(point) => onChange(of.rows.map((_, at) => (at === i ? point : (given[at] ?? null))))}
      />
    </fieldset>
  ))
}

function Choice({
  name,
  several = false,
  checked,
  onChange,
  children,
}: {
  name: string
  several?: boolean
  checked: boolean
  onChange: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <label className={css.choice}>
      <input
        type={several ? 'checkbox' : 'radio'}
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  )
}
