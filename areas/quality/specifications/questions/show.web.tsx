import { Button, Tabs } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, paperLanguageOf, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Gaps } from '../matrix/gaps.web.tsx'
import { QuestionGrid } from './grid.web.tsx'
import { questionMarkCalls, type QuestionedComponent, type QuestionSheet } from './question.contract.ts'
import css from '../specifications.module.css'

const SetQuestions = partDialog(async () => (await import('./set.web.tsx')).SetQuestions)
const ImportQuestions = partDialog(async () => (await import('./import.web.tsx')).ImportQuestions)

/** Questions of an offering by component, with the marks of its students. */
export default function QuestionsOfOffering() {
  const t = useT('specifications')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(questionMarkCalls.show, { params: { id } })
  const sheet = data?.data
  const [chosen, setChosen] = useState<string | null>(null)
  // What has questions comes first, else what weighs most.
  const first = sheet?.components.find(({ questions }) => questions.length) ?? sheet?.components.at(-1)
  const value = chosen ?? String(first?.id ?? '')
  return (
    <Page
      title={sheet ? nameOf(sheet.offering.course) : undefined}
      subtitle={sheet ? `${t('question_marks')} · ${nameOf(sheet.offering.term)} (${sheet.offering.code})` : '\u00A0'}
    >
      {error && !sheet ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !sheet ? (
        <Bone height={420} />
      ) : (
        <Tabs value={value} onChange={setChosen} keepMounted={false}>
          <Tabs.List mb="md">
            {sheet.components.map((one) => (
              <Tabs.Tab key={one.id} value={String(one.id)}>
                {nameOf(one)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {sheet.components.map((one) => (
            <Tabs.Panel key={one.id} value={String(one.id)}>
              <Component of={one} sheet={sheet} />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Page>
  )
}

function Component({ of, sheet }: { of: QuestionedComponent; sheet: QuestionSheet }) {
  const t = useT('specifications')
  const [setting, setSetting] = useState(false)
  const [importing, setImporting] = useState(false)
  const enters = sheet.enters && !sheet.offering.frozen
  return (
    <Stack>
      <Card
        title={t('questions_of', { name: nameOf(of), max: formatNumber(Number(of.max)) })}
        text={sheet.offering.frozen ? t('questions_frozen') : t('questions_text')}
        aside={
          <span className={css.buttons}>
            {of.questions.length > 0 && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={() =>
                  void download(questionMarkCalls.export, { params: { id: of.id }, body: { lang: paperLanguageOf() } })
                }
              >
                {t('question_sheet')}
              </Button>
            )}
            {enters && of.questions.length > 0 && (
              <Button
                variant="default"
                leftSection={<IconUpload size={16} aria-hidden />}
                onClick={() => setImporting(true)}
              >
                {t('question_import')}
              </Button>
            )}
            {enters && <Button onClick={() => setSetting(true)}>{t('questions_set')}</Button>}
          </span>
        }
      >
        {of.questions.length === 0 ? (
          <Empty title={t('questions_none')} text={enters ? t('questions_none_text') : undefined} />
        ) : (
          <>
            {of.gaps.length > 0 && <Gaps gaps={of.gaps.map((problem) => ({ blocks: false, problem }))} />}
            <QuestionGrid of={of} sheet={sheet} readOnly={!enters} />
          </>
        )}
      </Card>
      {setting && <SetQuestions of={of} sheet={sheet} onClose={() => setSetting(false)} />}
      {importing && <ImportQuestions of={of} onClose={() => setImporting(false)} />}
    </Stack>
  )
}
