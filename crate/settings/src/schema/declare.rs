//! The macro that declares settings. From a declaration follow the setting's [`Key`](crate::Key), its row, its help, and a
//! typed accessor of [`Settings`](crate::Settings) and of [`LaneSettings`](crate::LaneSettings).

/// Declares all settings, in the order of the form and of links. A declaration is
///
/// ```text
///     /// Help in one line.
///     Key "id" "Label" "unit" => accessor: Kind { column: value, ... }
/// ```
///
/// Its other columns are those that `columns` declares under the name after `in`. `accessor(way)` takes a direction of the
/// link: a line in `way_back` declares that the way back may have a value of its own, in the same unit and range.
macro_rules! settings {
    (
        columns {$(
            #[doc = $columns_doc:literal]
            $columns:ident of $parent:ident { $($common:ident: $common_value:expr),* $(,)? }
        )*}
        $(in $base:ident {$(
            #[doc = $help:literal]
            $key:ident $id:literal $label:literal $unit:literal => $name:ident $(($way:ident))? : $kind:ty {
                $($column:ident: $value:expr),* $(,)?
            }
        )*})*
        way_back {$(
            $back:ident of $there:ident $back_id:literal $back_label:literal $drawn:expr,
        )*}
        $(then in $base_2:ident {$(
            #[doc = $help_2:literal]
            $key_2:ident $id_2:literal $label_2:literal $unit_2:literal => $name_2:ident : $kind_2:ty {
                $($column_2:ident: $value_2:expr),* $(,)?
            }
        )*})*
    ) => {
        $(
            #[doc = $columns_doc]
            const $columns: Setting = Setting { $($common: $common_value,)* ..$parent };
        )*

        /// A setting, by its index in [`SCHEMA`](crate::schema::SCHEMA).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key {
            $($(#[doc = $help] $key,)*)*
            $(#[doc = concat!("The same as `", stringify!($there), "`, on the way back.")] $back,)*
            $($(#[doc = $help_2] $key_2,)*)*
        }

        /// The row of each setting.
        #[expect(non_upper_case_globals, reason = "a row has the name of its key")]
        mod rows {
            use super::*;
            $($(settings!(@row $base $key $id $label $unit $kind; $($column: $value,)*);)*)*
            $(settings!(@back $back $there $back_id $back_label $drawn);)*
            $($(settings!(@row $base_2 $key_2 $id_2 $label_2 $unit_2 $kind_2; $($column_2: $value_2,)*);)*)*
        }

        const SETTINGS: usize = ALL.len();

        const ALL: &[Setting] = &[$($(rows::$key,)*)* $(rows::$back,)* $($(rows::$key_2,)*)*];

        /// Every setting, in the order of [`Key`] and of the form. Help is apart: a program that shows none is built without it.
        pub static SCHEMA: [Setting; SETTINGS] = *ALL.as_array().expect("it has this length");

        pub(super) static HELP: [&str; SETTINGS] = [
            $($($help.trim_ascii_start(),)*)*
            $(settings!(@back_help $back),)*
            $($($help_2.trim_ascii_start(),)*)*
        ];

        /// Declares the accessors of all settings.
        macro_rules! accessors {
            () => {
                $($(settings!(@accessor $help $key $name $(($way))? $kind);)*)*
                $($(settings!(@accessor $help_2 $key_2 $name_2 $kind_2);)*)*
            };
        }
        pub(crate) use accessors;
    };
    (@row $base:ident $key:ident $id:literal $label:literal $unit:literal $kind:ty; $($column:ident: $value:expr,)*) => {
        pub(super) const $key: Setting = Setting {
            key: Key::$key,
            id: $id,
            label: $label,
            unit: $unit,
            $($column: $value,)*
            ..$base.with_choices::<$kind>()
        }
        .checked::<$kind>();
    };
    (@back $back:ident $there:ident $id:literal $label:literal $drawn:expr) => {
        pub(super) const $back: Setting = {
            const CHOICES: [Choice; 1 + $there.choices().len()] = with_same($there.choices());
            Setting {
                key: Key::$back,
                id: concat!("back.", $id),
                label: concat!($label, ", way back"),
                drawn: $drawn,
                ..$there.of_the_way_back(&CHOICES)
            }
        };
    };
    (@back_help $back:ident) => {
        "The same for acknowledgements, on the way back."
    };
    (@accessor $help:literal $key:ident $name:ident $kind:ty) => {
        impl Settings {
            #[doc = $help]
            pub fn $name(&self) -> <$kind as Kind>::Value {
                <$kind>::read(self.get(Key::$key), &Key::$key.setting().domain)
            }
        }

        impl LaneSettings {
            #[doc = $help]
            pub fn $name(&self) -> <$kind as Kind>::Value {
                <$kind>::read(self.get(Key::$key), &Key::$key.setting().domain)
            }
        }
    };
    (@accessor $help:literal $key:ident $name:ident ($way:ident) $kind:ty) => {
        impl LaneSettings {
            #[doc = $help]
            pub fn $name(&self, $way: Direction) -> <$kind as Kind>::Value {
                <$kind>::read(self.raw_of_way(Key::$key, $way), &Key::$key.setting().domain)
            }
        }
    };
}
pub(crate) use settings;
