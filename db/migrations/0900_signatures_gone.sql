-- Chains of signatures were declared by no workflow: what several people decide in turn are steps of a request. Who signs a
-- paper (signing_positions) stays.
drop table signatures;
