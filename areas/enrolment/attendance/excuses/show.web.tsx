import { useEffect } from 'react'
import { Bone } from '#kit/web/shell/card.tsx'
import { useNavigate, useParams } from '#kit/web/router/index.ts'

/** An excuse by its own address: it is read in the inbox, beside the others. */
export default function ShowExcuse() {
  const navigate = useNavigate()
  const { id } = useParams()
  useEffect(() => void navigate(`/excuses?view=all&id=${id}`, { replace: true }), [navigate, id])
  return <Bone height={300} />
}
