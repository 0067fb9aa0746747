import { useEffect } from 'react'
import { Bone } from '#kit/web/shell/card.tsx'
import { useNavigate, useParams } from '#kit/web/router/index.ts'

/** A training of a student by its own address: it is read in the inbox, beside the others. */
export default function ShowStudentTraining() {
  const navigate = useNavigate()
  const id = Number(useParams().training_student_id)
  useEffect(() => void navigate(`/students-trainings?view=all&id=${id}`, { replace: true }), [navigate, id])
  return <Bone height={300} />
}
