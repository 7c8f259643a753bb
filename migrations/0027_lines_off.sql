-- Whether a line that goes has others off it is asked for each of them. Without this, all lines of the organization were
-- read for every change request of a space that is removed for good.
create index lines_off on lines (organization_id, main_id) where main_id is not null;
