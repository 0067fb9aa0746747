import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { questionMarkCalls } from './question.contract.ts'
import css from '../specifications.module.css'

/** Offerings of a term: how many questions their assessments have, and of how many students the marks by question are known. */
export default function OfferingsByQuestion() {
  const t = useT('specifications')
  const [term_id, setTerm] = useState<number | undefined>(undefined)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 300)
  const { most, more } = useMost()
  const query = { most, ...(term_id !== undefined && { term_id }), ...(search && { search }) }
  const { data, error, refetch } = useCall(
    questionMarkCalls.offerings,
    { query },
    { placeholderData: keepPreviousData },
  )
  return (
    <Page title={t('question_marks')} subtitle={t('question_marks_text')}>
      <Card>
        <div className={css.pickers}>
          <LookupInput
            resource="term"
            label={t('term')}
            defaultValue={null}
            onChange={(term) => setTerm(term ?? undefined)}
          />
          <TextInput
            label={t('search_course')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Bone height={320} />
        ) : data.data.length === 0 ? (
          <Empty title={t('question_offerings_none')} text={t('question_offerings_none_text')} />
        ) : (
          <Table
            label={t('question_marks')}
            rows={data.data}
            rowKey={(row) => row.id}
            columns={[
              {
                key: 'course',
                label: t('course'),
                head: true,
                cell: (row) => (
                  <Link to={to('/question_marks/:id', { id: row.id })}>
                    <Code>{row.course.code}</Code> {nameOf(row.course)} <bdi>({row.code})</bdi>
                  </Link>
                ),
              },
              {
                key: 'questions',
                label: t('questions'),
                figure: true,
                cell: (row) => (row.questions ? formatNumber(row.questions) : '–'),
              },
              {
                key: 'marked',
                label: t('with_marks'),
                figure: true,
                cell: (row) => t('of_all', { part: formatNumber(row.marked), all: formatNumber(row.students) }),
              },
            ]}
          />
        )}
        {data && <MoreRows shown={data.data.length} total={data.total} onMore={more} />}
      </Card>
    </Page>
  )
}
