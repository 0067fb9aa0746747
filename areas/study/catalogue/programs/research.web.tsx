import { Button, Modal } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { Row } from '#kit/contract/resource.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Empty } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import { RESEARCH_STAGES } from '../words.contract.ts'
import { program } from './program.contract.ts'
import { researchCalls } from './research.contract.ts'

type Program = Row<typeof program>
type Stage = NonNullable<Program['research_plan']>[number]
const FIELDS = { research_plan: program.fields.research_plan }

/** The semesters of the program as boxes; those in which the stage may lie are filled. */
function Window({ stage, semesters }: { stage: Stage; semesters: number }) {
  const t = useT('catalogue')
  const [from, to] = [stage.earliest_semester ?? 1, stage.latest_semester ?? semesters]
  const said =
    stage.earliest_semester === null && stage.latest_semester === null
      ? t('research_any_time')
      : from === to
        ? t('research_in', { semester: from })
        : t('research_from_to', { from, to })
  return (
    <span className={css.semesters} role="img" aria-label={said} title={said}>
      {Array.from({ length: Math.max(semesters, to) }, (_, i) => (
        <i key={i} data-in={(i + 1 >= from && i + 1 <= to) || undefined}>
          {formatNumber(i + 1)}
        </i>
      ))}
    </span>
  )
}

/** The stages to a postgraduate degree, in their order and by semester. */
export function ResearchPlan({ row }: { row: Program }) {
  const t = useT('catalogue')
  const say = useLabel()
  const may = useMe().may
  const { send } = useChange(program.path)
  const [editing, setEditing] = useState(false)
  const editable = !row.removed && may('edit_study_plan')
  const semesters = row.semesters ?? 8
  const stages = row.research_plan ?? []
  return (
    <Card
      title={t('research_plan')}
      text={t('research_text')}
      aside={
        editable && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPencil size={14} />}
            onClick={() => setEditing(true)}
          >
            {t('research_edit')}
          </Button>
        )
      }
    >
      {stages.length ? (
        <ol className={css.lines}>
          {stages.map((stage, i) => {
            const kind = RESEARCH_STAGES.find((researchStage) => researchStage.value === stage.stage)!
            return (
              <li key={stage.id ?? i}>
                <span className={css.entry}>
                  <span>
                    {formatNumber(i + 1)}. {say(kind.label)}
                  </span>
                  {stage.times > 1 && <span className={css.faint}>{t('research_times', { count: stage.times })}</span>}
                </span>
                <Window stage={stage} semesters={semesters} />
              </li>
            )
          })}
        </ol>
      ) : (
        <Empty title={t('research_none')} />
      )}
      {editing && (
        <Modal opened size="xl" onClose={() => setEditing(false)} title={t('research_plan')}>
          <Form
            fields={FIELDS}
            values={row}
            bar="dialog"
            onCancel={() => setEditing(false)}
            onSave={(values) =>
              send(researchCalls.changeResearchPlan, {
                params: { id: row.id },
                body: { research_plan: (values as Pick<Program, 'research_plan'>).research_plan, version: row.version },
              })
            }
            onSaved={() => setEditing(false)}
          />
        </Modal>
      )}
    </Card>
  )
}
