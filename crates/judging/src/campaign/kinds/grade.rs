//! Grades of items, and the gains of a ground truth computed from them.

use partita_core::{GroundTruth, ZeroGainPolicy};

use crate::campaign::input_error::InputError;
use crate::campaign::log::event::{BroadGrade, GradeAnswer};
use crate::campaign::{Campaign, ExportRequest};
use crate::lists::grades::{AssessorGrade, GradeScale, GradeSummary, Grades, ItemGrades};

impl Campaign {
    /// Returns the grades of these lists that count, with the items in candidate order.
    pub(crate) fn grades_of_lists(&self, lists: &[usize]) -> Grades {
        let mut grades = Grades::default();
        for &list in lists {
            grades.add_items(self.query_name(list), &self.lists[list].items);
            for graded in self.grades(list) {
                let given = AssessorGrade {
                    assessor: &*self.canonical_name(&graded.assessor),
                    item: &*graded.item,
                    grade: GradeSummary {
                        broad: graded.broad.map(BroadGrade::gain),
                        fine: graded.fine,
                    },
                };
                let added = grades.add(self.query_name(list), given);
                added.expect("the latest grade of an assessor for an item is the only one");
            }
        }
        grades
    }

    /// Returns the grade summaries of the items of the requested queries, in candidate order. Items
    /// without grades are omitted. Ignores [`ExportRequest::settled`].
    pub fn item_grades(&self, request: &ExportRequest) -> Result<Vec<ItemGrades>, InputError> {
        let lists = self.list_indices(&request.queries)?;
        Ok(self.grades_of_lists(&lists).item_grades())
    }

    /// Returns the grade summaries of the items of one list, in candidate order. Items without
    /// grades are omitted.
    pub(crate) fn list_item_grades(&self, list: usize) -> Vec<ItemGrades> {
        self.grades_of_lists(&[list]).item_grades()
    }

    /// Builds a ground truth in which the gain of an item is its median broad grade or its mean
    /// fine grade. Items without a grade on this scale are omitted, and items with a gain of 0 are
    /// in no group of the list. Ignores [`ExportRequest::settled`].
    pub fn grade_truth(
        &self,
        request: &ExportRequest,
        scale: GradeScale,
    ) -> Result<GroundTruth, InputError> {
        let lists = self.list_indices(&request.queries)?;
        let grades = self.grades_of_lists(&lists);
        Ok(grades.ground_truth(scale, ZeroGainPolicy::LeaveOut))
    }
}

/// Returns true if two grades have the same query, item and values.
pub(crate) fn same_grade(one: &GradeAnswer, other: &GradeAnswer) -> bool {
    one.query == other.query
        && one.item == other.item
        && one.broad == other.broad
        && one.fine == other.fine
}
