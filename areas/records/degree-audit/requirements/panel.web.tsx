import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { namesFrom, useSentences } from './sentences.web.ts'
import { storedCalls, type RequirementOwner } from './stored.contract.ts'
import { RequirementTree } from './tree.web.tsx'
import { walk } from './tree.rules.ts'

/** Requirements as a tab of the record: to read, with the way to where they are changed. */
function Requirements({ of, id }: { of: RequirementOwner; id: number }) {
  const t = useT('degree-audit')
  const { data, error, refetch } = useCall(storedCalls.requirementTree, { params: { of, id } })
  const stored = data?.data
  const [at, setAt] = useState('')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const names = useMemo(() => {
    const all = namesFrom(stored?.names)
    if (stored?.tree) for (const [, one] of walk(stored.tree)) all.set(`requirement:${one.key}`, one)
    return all
  }, [stored])
  const say = useSentences(names)
  if (error && !stored) return <Failed error={error} retry={() => void refetch()} />
  if (!stored) return <Bone height={260} />
  const href = of === 'program' ? to('/programs/:id/requirements', { id }) : to('/bylaws/:id/requirements', { id })
  const edits = stored.abilities.includes('edit')
  const way = (
    <Button component={Link} to={href} variant="default">
      {t(edits ? 'change_requirements' : 'open_requirements')}
    </Button>
  )
  return stored.tree ? (
    <Card
      title={t('requirements')}
      text={t(of === 'bylaw' ? 'of_bylaw_text' : stored.mode === 'adds' ? 'holds_adds' : 'holds_replaces')}
      aside={way}
    >
      <RequirementTree
        tree={stored.tree}
        label={t('requirements')}
        say={say}
        at={at}
        onAt={setAt}
        folded={folded}
        onFold={(key, fold) => {
          const next = new Set(folded)
          if (fold) next.add(key)
          else next.delete(key)
          setFolded(next)
        }}
      />
    </Card>
  ) : (
    <Card>
      <Empty
        title={t('no_requirements')}
        text={t(of === 'program' ? 'no_requirements_program' : 'no_requirements_bylaw')}
        action={edits && way}
      />
    </Card>
  )
}

export const RequirementsOfProgram = ({ row }: { row: { id: number } }) => <Requirements of="program" id={row.id} />
export const RequirementsOfBylaw = ({ row }: { row: { id: number } }) => <Requirements of="bylaw" id={row.id} />
