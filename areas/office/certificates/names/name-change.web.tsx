import { Button } from '@mantine/core'
import type { Row } from '#kit/contract/resource.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { formatInstant, nameOf, useT } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { nameChange, nameChangeCalls } from './name-change.contract.ts'
import css from '../certificates.module.css'

type Change = Row<typeof nameChange>
const newName = (row: Change) => nameOf({ name: row.new_name ?? '', name_local: row.new_name_local ?? '' })

/** Papers that bear the name of before: they stay, and new ones may be asked for. */
function FormerPapers({ id }: { id: number }) {
  const t = useT('certificates')
  const me = useMe()
  const { data } = useCall(nameChangeCalls.formerPapers, { params: { id } })
  if (!data?.data.length) return null
  const own = me.user.student_id !== null
  return (
    <Card title={t('former_papers')} text={t('former_papers_text')}>
      <ul className={css.papers}>
        {data.data.map((paper) => (
          <li key={paper.id}>
            <Code>{paper.serial}</Code>
            <Name row={{ name: paper.title, name_local: paper.title_local }} />
            <span>{t(paper.lang === 'ar' ? 'arabic' : 'english')}</span>
            <small>{formatInstant(paper.issued_at)}</small>
          </li>
        ))}
      </ul>
      {me.can('add_certificate') && (
        <p className={css.line}>
          <Button component={Link} to={own ? '/services/certification/add' : '/certificates/add'} variant="default">
            {t('ask_replacement')}
          </Button>
        </p>
      )}
    </Card>
  )
}

/** Changes of names: the new name says more than why it has changed. */
export default resourceWeb(nameChange, {
  what: (row: Change) => <bdi>{newName(row)}</bdi>,
  Beneath: ({ row }: { row: Change }) => (row.status === 'accepted' ? <FormerPapers id={row.id} /> : null),
})
